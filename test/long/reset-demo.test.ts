import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { getPrepared } from '../support/prepared.ts';
import { runWithSettings } from '../support/server-command.ts';
import { onDemoDatabase, onTestCluster, withDataFolder } from '../support/service-process.ts';
import { runSql } from '../support/test-database.ts';

const countRows = `SELECT (SELECT count(*)::int FROM keyfront.orders) AS orders,
  (SELECT count(*)::int FROM keyfront.clients) AS clients, (SELECT count(*)::int FROM keyfront.planets) AS planets,
  (SELECT count(*)::int FROM keyfront.webhooks) AS webhooks, (SELECT count(*)::int FROM keyfront.sessions) AS sessions`;
const readKeys = "SELECT encode(public_key, 'hex') AS key FROM keyfront.api_keys ORDER BY key";
const nothingChanged = expect.stringContaining('Nothing was changed.');

describe('keyfront-server reset-demo', () => {
  it('loads the demo as at its first start, with the same keys', async () => {
    await onDemoDatabase(async (settings) => {
      const ownerUrl = settings.DATABASE_OWNER_URL;
      const [before, keys] = [await runSql(ownerUrl, countRows), await runSql(ownerUrl, readKeys)];
      const file = join(settings.KEYFRONT_DATA, 'demo.json');
      const { holders } = JSON.parse(await readFile(file, 'utf8'));
      await runSql(
        ownerUrl,
        `UPDATE keyfront.clients SET first_name = 'Changed';
         DELETE FROM keyfront.api_keys;
         INSERT INTO keyfront.planets (number, name) VALUES (99, 'Added')`,
      );
      const reset = await runWithSettings(settings, 'reset-demo', '--yes');
      expect(reset).toMatchObject({
        how: 0,
        output: expect.stringContaining(
          'The demo is as at its first start. The keys in demo.json are the same.',
        ),
      });
      expect(await runSql(ownerUrl, countRows)).toEqual(before);
      expect(await runSql(ownerUrl, readKeys)).toEqual(keys);
      expect(await runSql(ownerUrl, `SELECT FROM keyfront.clients WHERE first_name = 'Changed'`)).toEqual([]);
      const after = JSON.parse(await readFile(file, 'utf8'));
      expect(after.holders.map(({ apiKey }: { apiKey: string }) => apiKey)).toEqual(
        holders.map(({ apiKey }: { apiKey: string }) => apiKey),
      );
    });
  });

  it('asks, or needs --yes where nobody can be asked', async () => {
    await onDemoDatabase(async (settings) => {
      const rows = await runSql(settings.DATABASE_OWNER_URL, countRows);
      expect(await runWithSettings(settings, 'reset-demo')).toMatchObject({
        how: 2,
        output: expect.stringMatching(/^Without a terminal, reset-demo needs --yes\.\n/),
      });
      expect(await runWithSettings(settings, 'reset-demo', 'now')).toMatchObject({ how: 2 });
      expect(await runSql(settings.DATABASE_OWNER_URL, countRows)).toEqual(rows);
    });
  });

  it('refuses where the demo is off, and while another program uses the database', async () => {
    await onDemoDatabase(async (settings) => {
      const rows = await runSql(settings.DATABASE_OWNER_URL, countRows);
      const off = { ...settings, KEYFRONT_DEMO: 'off' };
      expect(await runWithSettings(off, 'reset-demo', '--yes')).toEqual({ how: 1, output: nothingChanged });
      const service = new Client({ connectionString: settings.DATABASE_URL });
      await service.connect();
      try {
        const refused = await runWithSettings(settings, 'reset-demo', '--yes');
        expect(refused).toEqual({ how: 1, output: nothingChanged });
        expect(refused.output).toContain('stop the service first');
      } finally {
        await service.end();
      }
      expect(await runSql(settings.DATABASE_OWNER_URL, countRows)).toEqual(rows);
    });
  });

  it('creates nothing where there is no demo', async () => {
    await withDataFolder(async (folder) => {
      const refused = await runWithSettings({ KEYFRONT_DATA: folder }, 'reset-demo', '--yes');
      expect(refused).toEqual({
        how: 1,
        output: `There is no demo.json in ${folder}: set KEYFRONT_DATA to the data folder of the demo. Nothing was changed.\n`,
      });
      expect(existsSync(folder)).toBe(false);
    });
  });

  it('refuses a database with other holders', async () => {
    await withDataFolder(async (folder) => {
      await mkdir(folder, { mode: 0o700 });
      await copyFile((await getPrepared('demo')).file, join(folder, 'demo.json'));
      await onTestCluster(async (database) => {
        await runSql(
          database.DATABASE_OWNER_URL,
          `INSERT INTO keyfront.holders (wallet_address) VALUES ('0x${'1'.repeat(40)}')`,
        );
        const settings = { ...database, KEYFRONT_DATA: folder, KEYFRONT_DEMO: 'on' };
        const refused = await runWithSettings(settings, 'reset-demo', '--yes');
        expect(refused).toEqual({ how: 1, output: nothingChanged });
        expect(refused.output).toContain('The database is not a demo');
        expect(await runSql(database.DATABASE_OWNER_URL, 'SELECT FROM keyfront.holders')).toHaveLength(1);
      });
    });
  });
});

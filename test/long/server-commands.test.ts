import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { DemoFile } from '../../packages/server/src/resources/demo/demo-file.ts';
import { curl } from '../support/curl.ts';
import { signWithOpenssl } from '../support/openssl.ts';
import { runCommand, runWithSettings } from '../support/server-command.ts';
import { onDemoDatabase, onTestCluster, startService, withDataFolder } from '../support/service-process.ts';

describe('keyfront-server', () => {
  it('describes its commands, and refuses others', async () => {
    await withDataFolder(async (folder) => {
      const help = await runCommand(dirname(folder), '--help');
      expect(help).toMatchObject({ how: 0, output: expect.stringContaining('backup <file>') });
      const backupHelp = await runCommand(dirname(folder), 'backup', '--help');
      expect(backupHelp).toMatchObject({ how: 0, output: expect.stringContaining('secrets.json') });
      const { version } = JSON.parse(
        readFileSync(new URL('../../packages/server/package.json', import.meta.url), 'utf8'),
      );
      expect(await runCommand(dirname(folder), '--version')).toEqual({ how: 0, output: `${version}\n` });
      const unknown = await runCommand(dirname(folder), 'destroy');
      expect(unknown).toMatchObject({
        how: 2,
        output: expect.stringMatching(/^Unknown command "destroy"\.\n/),
      });
      expect(await runCommand(folder, 'backup', 'file')).toEqual({
        how: 1,
        output: `There is no database in ${folder}: set KEYFRONT_DATA to the data folder of the service.\n`,
      });
    });
  });

  it('applies the migrations that a database lacks, and ends', async () => {
    await withDataFolder(async (folder) => {
      await onTestCluster(async (database) => {
        const settings = { ...database, KEYFRONT_DATA: folder };
        const first = await runWithSettings(settings, 'migrate');
        expect(first.output).toMatch(/^Creating the schema\n/);
        const again = await runWithSettings(settings, 'migrate');
        expect(again.output).toMatch(/^The database has all migrations, up to \d{4}_\w+(\.sql)?\n$/);
        expect([first.how, again.how]).toEqual([0, 0]);
        expect(first.output.endsWith(again.output)).toBe(true);
        expect(await runWithSettings(settings, 'migrate', 'now')).toMatchObject({
          how: 2,
          output: expect.stringMatching(/^The command migrate takes no argument\.\n/),
        });
      }, 'nothing');
    });
  });

  it('revokes an API key by its fingerprint, and all of a wallet, at a service that runs', async () => {
    await onDemoDatabase(async (settings) => {
      const base = await startService(settings).ready;
      const path = join(settings.KEYFRONT_DATA, 'demo.json');
      const [first, second]: DemoFile['holders'] = JSON.parse(readFileSync(path, 'utf8')).holders;
      const ask = async ({ apiKey, secretKey }: typeof first) => {
        const file = join(settings.KEYFRONT_DATA, 'key.der');
        writeFileSync(file, Buffer.from(secretKey, 'base64'), { mode: 0o600 });
        const headers = [`x-auth-apikey: ${apiKey}`, `x-auth-signature: ${signWithOpenssl({ file }, '{}')}`];
        return (await curl(...headers.flatMap((each) => ['--header', each]), `${base}/strains`)).status;
      };
      expect([await ask(first), await ask(second)]).toEqual([200, 200]);
      const revoke = (...args: string[]) => runWithSettings(settings, 'revoke-key', ...args);
      const owner = new pg.Client(settings.DATABASE_OWNER_URL);
      await owner.connect();
      const { rows } = await owner.query(
        `SELECT encode(fingerprint, 'hex') AS fingerprint FROM keyfront.api_keys
         JOIN keyfront.holders ON holders.id = holder_id WHERE wallet_address = lower($1)`,
        [first.walletAddress],
      );
      await owner.end();
      const revoked = { how: 0, output: expect.stringMatching(/^Revoked the API key [0-9a-f-]{36}\n/) };
      expect(await revoke(rows[0].fingerprint)).toMatchObject(revoked);
      expect([await ask(first), await ask(second)]).toEqual([401, 200]);
      expect(await revoke(second.walletAddress)).toMatchObject({
        how: 0,
        output: expect.stringMatching(
          /^Revoked the API key [0-9a-f-]{36}\nEnded 0 sessions of 0x[0-9a-f]{40}\n$/,
        ),
      });
      expect(await ask(second)).toBe(401);
      expect(await revoke('019a8f3e-7c00-7000-8000-000000000001')).toEqual({
        how: 1,
        output: 'There is no such API key. Nothing was changed.\n',
      });
      expect(await revoke('all')).toMatchObject({
        how: 2,
        output: expect.stringMatching(
          /^The command revoke-key needs one id, fingerprint or wallet address\.\n/,
        ),
      });
    });
  });

  it('archives old orders with the same settings as the service, one process at a time', async () => {
    await withDataFolder(async (folder) => {
      await onTestCluster(async (database) => {
        const settings = { ...database, KEYFRONT_DATA: folder, IMAGE_FOLDER: join(folder, 'shared') };
        const archive = (...args: string[]) => runWithSettings(settings, 'archive-orders', ...args);
        await runWithSettings(settings, 'migrate');
        for (const args of [
          [],
          ['2024-01'],
          ['--before'],
          ['--before', '2024-1'],
          ['--before', '2024-01', 'x'],
          ['--before=2024-01=x'],
        ])
          expect(await archive(...args)).toMatchObject({
            how: 2,
            output: expect.stringContaining(
              `The command archive-orders needs a month, such as --before 2024-01${
                args.length > 0 ? `, and not "${args.join(' ')}"` : ''
              }.\n`,
            ),
          });
        expect(await archive('--before', '2999-01')).toMatchObject({
          how: 1,
          output: expect.stringMatching(
            /^Orders are archived when they are at least 12 months old: the latest/,
          ),
        });
        const { IMAGE_FOLDER, ...withoutFolder } = settings;
        const without = await runWithSettings(withoutFolder, 'archive-orders', '--before', '2024-01');
        expect(without).toEqual({
          how: 1,
          output: 'There is no place for archived orders: set IMAGE_FOLDER or S3_BUCKET.\n',
        });
        const owner = new pg.Client(settings.DATABASE_OWNER_URL);
        await owner.connect();
        await owner.query(`SET search_path = keyfront;
          INSERT INTO planets (number, name) VALUES (1, 'Verdane');
          INSERT INTO holders (wallet_address) VALUES ('0x${'1'.repeat(40)}');
          INSERT INTO digital_keys (token_id, holder_id, planet_id) SELECT 7, holders.id, planets.id FROM holders, planets;
          INSERT INTO clients (token_id, first_name, last_name, email) VALUES (7, 'Ada', 'Example', 'ada@example.org');
          INSERT INTO orders (token_id, client_id, invoice_number, order_status, total_amount, total_quantity, currency, created_at, updated_at)
          SELECT 7, id, 'A-1', 'DELIVERED', 1, 1, 'EUR', '2023-05-01', '2023-05-01' FROM clients;
          SELECT pg_advisory_lock(hashtextextended('keyfront archive-orders', 0))`);
        expect(await archive('--before', '2024-01')).toEqual({
          how: 1,
          output: 'Another process is archiving orders. Nothing was changed.\n',
        });
        await owner.query('SELECT pg_advisory_unlock_all()');
        expect(await archive('--dry-run', '--before=2024-01')).toEqual({
          how: 0,
          output: '2023-05: would archive up to 1 order of 1 digital key\n',
        });
        expect(await archive('--before', '2024-01')).toEqual({
          how: 0,
          output: '2023-05: 1 order archived to 1 file\n',
        });
        const elsewhere = { ...settings, IMAGE_FOLDER: join(folder, 'misspelt') };
        expect(await runWithSettings(elsewhere, 'archive-orders', '--before', '2024-01')).toEqual({
          how: 1,
          output: expect.stringMatching(
            /^The file 7\/2023-05\/\S+ of archived orders is missing\. No order is lost\. Check [^\n]+\n$/,
          ),
        });
        expect(await archive('--before', '2024-01')).toEqual({
          how: 0,
          output: 'There is nothing to archive\n',
        });
        await owner.end();
      }, 'nothing');
    });
  });
});

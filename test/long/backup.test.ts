import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recount } from '../../faults/src/load/recount.ts';
import { startShoppers } from '../../faults/src/load/shoppers.ts';
import { createTrialStore } from '../../faults/src/load/trial-store.ts';
import { findOwnerUrl } from '../../faults/src/processes/find-owner-url.ts';
import { killTree } from '../../faults/src/processes/spawn-service.ts';
import { createRandom } from '../../faults/src/random.ts';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { curl } from '../support/curl.ts';
import { runCommand, startCommand } from '../support/server-command.ts';
import { startService, withUsedDataFolder } from '../support/service-process.ts';
import { runSql } from '../support/test-database.ts';

describe('a backup', () => {
  it('that is taken while orders are placed can be restored, consistent and complete', async () => {
    await withUsedDataFolder(async (folder) => {
      const service = startService({ KEYFRONT_DATA: folder, RATE_LIMIT: 'off' });
      const baseUrl = await service.ready;
      const [holder] = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')).holders;
      const store = await createTrialStore(await findOwnerUrl(folder), holder.primaryTokenId, 64);
      const shoppers = startShoppers(baseUrl, holder, store, createRandom(1));
      await shoppers.waitForOrders(20);
      const image = join('images', `${'5c'.repeat(32)}.png`);
      await mkdir(join(folder, 'images'), { recursive: true });
      await writeFile(join(folder, image), 'pixels');

      // A backup that is killed leaves no file with its name.
      const killedFile = join(dirname(folder), 'killed.tar.gz');
      const killed = startCommand(folder, 'backup', killedFile);
      await expect.poll(() => existsSync(`${killedFile}.partial`), { interval: 5 }).toBe(true);
      killed.child.kill('SIGKILL');
      await killed.ended;
      expect(existsSync(killedFile)).toBe(false);

      const acknowledged = [...shoppers.report.orders.keys()];
      const file = join(dirname(folder), 'backup.tar.gz');
      const { how, output } = await runCommand(folder, 'backup', file);
      expect(output).toContain(`The backup is complete: ${file} (`);
      expect(output).toContain('keep it private');
      expect(how).toBe(0);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await runCommand(folder, 'backup', file)).toEqual({
        how: 1,
        output: `The file ${file} exists already: choose another name.\n`,
      });
      await shoppers.waitForOrders(20);
      const report = await shoppers.stop();

      // The service that is backed up is killed with its database.
      const abortedFile = join(dirname(folder), 'aborted.tar.gz');
      const aborted = startCommand(folder, 'backup', abortedFile);
      await expect.poll(() => existsSync(`${abortedFile}.partial`), { interval: 5 }).toBe(true);
      await killTree(service);
      expect(await aborted.ended).toMatchObject({
        how: 1,
        output: expect.stringMatching(
          /The backup .* could not be written \(.+\): nothing was left behind\.\n$/,
        ),
      });
      expect([existsSync(abortedFile), existsSync(`${abortedFile}.partial`)]).toEqual([false, false]);

      const expectRefusal = async (target: string, damaged: string, reason: RegExp) => {
        const refusal = await runCommand(target, 'restore', damaged);
        expect(refusal).toMatchObject({ how: 1, output: expect.stringMatching(reason) });
        expect(refusal.output).not.toMatch(/\bat .+:\d+:\d+/);
      };
      const restored = join(dirname(folder), 'restored');
      await expectRefusal(
        folder,
        file,
        /^The data folder .* is not empty: move its files away, or set KEYFRONT_DATA/,
      );
      await expectRefusal(
        restored,
        `${killedFile}.partial`,
        /cannot be restored: it is incomplete\. The data folder/,
      );
      await expectRefusal(
        restored,
        join(folder, 'absent'),
        /^The backup .* does not exist or cannot be read\.\n$/,
      );

      expect(await runCommand(restored, 'restore', file)).toMatchObject({
        how: 0,
        output: expect.stringContaining(`The backup is restored to ${restored}: start the service.\n`),
      });
      for (const name of ['secrets.json', 'demo.json']) {
        expect((await stat(join(restored, name))).mode & 0o777).toBe(0o600);
      }
      expect(await readFile(join(restored, image), 'utf8')).toBe('pixels');
      const second = startService({ KEYFRONT_DATA: restored });
      const health = (await second.ready).replace('/api/v1', '/health/ready');
      expect((await curl(health)).status).toBe(200);
      const ownerUrl = await findOwnerUrl(restored);
      expect(await recount(ownerUrl, store, report, { isEarlier: true })).toEqual([]);
      const orders = await runSql<{ id: string }>(ownerUrl, 'SELECT id FROM keyfront.orders');
      const ids = new Set(orders.map(({ id }) => id));
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect(await second.end()).toBe(0);
    });
  });

  it('contains archived orders, which a restored service exports as before', async () => {
    await withUsedDataFolder(async (folder) => {
      const { holders } = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
      const [{ apiKey, secretKey, primaryTokenId }] = holders;
      /** The export of a service on a data folder, after something was done to its database. */
      const exportFrom = async (dataFolder: string, sql = 'SELECT') => {
        const service = startService({ KEYFRONT_DATA: dataFolder });
        const keyfront = new Keyfront({ baseUrl: await service.ready, apiKey, secretKey });
        await runSql(await findOwnerUrl(dataFolder), sql);
        const csv = await new Response(keyfront.orders.export().csv()).text();
        expect(await service.end()).toBe(0);
        return csv;
      };
      const before = await exportFrom(
        folder,
        `INSERT INTO keyfront.orders
           (token_id, client_id, invoice_number, order_status, total_amount, total_quantity, currency, created_at, updated_at)
         SELECT token_id, id, 'OLD-' || number, 'DELIVERED', number, 1, 'EUR', timestamptz '2024-05-01' + number * interval '1 minute', '2024-06-01'
         FROM generate_series(1, 1100) AS number, (SELECT * FROM keyfront.clients WHERE token_id = ${primaryTokenId} LIMIT 1) AS client`,
      );
      expect(before.match(/OLD-/g)).toHaveLength(1_100);
      expect(await runCommand(folder, 'archive-orders', '--before', '2025-01')).toMatchObject({
        how: 0,
        output: expect.stringContaining('2024-05: 1,100 orders archived to 2 files\n'),
      });
      const file = join(dirname(folder), 'backup.tar.gz');
      const restored = join(dirname(folder), 'restored');
      expect(await runCommand(folder, 'backup', file)).toMatchObject({ how: 0 });
      expect(await runCommand(restored, 'restore', file)).toMatchObject({ how: 0 });
      expect(await exportFrom(restored)).toBe(before);
    });
  });
});

import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startWithSettings } from '../support/server-command.ts';
import { onTestCluster, withDataFolder } from '../support/service-process.ts';
import { runSql } from '../support/test-database.ts';

const count = 6_000;

it('loses and doubles nothing if archive-orders is killed at random moments, and leaves no file behind', async () => {
  await withDataFolder(async (folder) => {
    await onTestCluster(async (database) => {
      const shared = join(folder, 'shared');
      mkdirSync(shared, { recursive: true });
      const settings = { ...database, KEYFRONT_DATA: folder, IMAGE_FOLDER: shared };
      const sql = <Row extends object>(text: string) => runSql<Row>(settings.DATABASE_OWNER_URL, text);
      await sql(`SET search_path = keyfront;
        INSERT INTO planets (number, name) VALUES (1, 'Verdane');
        INSERT INTO holders (wallet_address) VALUES ('0x${'1'.repeat(40)}');
        INSERT INTO digital_keys (token_id, holder_id, planet_id) SELECT 7, holders.id, planets.id FROM holders, planets;
        INSERT INTO clients (token_id, first_name, last_name, email) VALUES (7, 'Ada', 'Example', 'ada@example.org');
        INSERT INTO orders (token_id, client_id, invoice_number, order_status, total_amount, total_quantity, currency, created_at, updated_at, note)
        SELECT 7, id, 'A-' || n, 'DELIVERED', 1, 1, 'EUR', at, at, repeat(md5(n::text), 20)
        FROM clients, generate_series(1, ${count}) AS n, LATERAL (SELECT timestamptz '2020-01-01' + n % 48 * interval '1 month' AS at) AS times`);
      const listIds = async () =>
        (await sql<{ id: string }>('SELECT id FROM keyfront.orders')).map(({ id }) => id);
      const all = (await listIds()).sort();
      const files = async () => {
        const entries = await readdir(shared, { recursive: true, withFileTypes: true });
        return entries
          .filter((entry) => entry.isFile())
          .map((entry) => relative(join(shared, 'orders'), join(entry.parentPath, entry.name)))
          .sort();
      };
      const expectEachOrderOnce = async () => {
        const records = await sql<{ name: string }>(
          'SELECT file_name AS name FROM keyfront.order_archives ORDER BY 1',
        );
        const archived = records.flatMap(({ name }) =>
          gunzipSync(readFileSync(join(shared, 'orders', name)))
            .toString()
            .trimEnd()
            .split('\n')
            .map((line): string => JSON.parse(line).order.id),
        );
        expect([...archived, ...(await listIds())].sort()).toEqual(all);
        return records.map(({ name }) => name);
      };
      const start = () => startWithSettings(settings, 'archive-orders', '--before', '2024-01');
      let kills = 0;
      for (let how: unknown = 'SIGKILL'; how === 'SIGKILL'; kills++) {
        const { child, ended } = start();
        // From the first month on, which takes most of the start away.
        if (kills < 8)
          void Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), ended])
            .then(() => wait(randomInt(100)))
            .then(() => child.kill('SIGKILL'));
        const result = await ended;
        ({ how } = result);
        expect([0, 'SIGKILL'], result.output).toContain(how);
        await expectEachOrderOnce();
      }
      expect(kills).toBeGreaterThan(2);
      expect(await listIds()).toEqual([]);
      expect(await files()).toEqual((await expectEachOrderOnce()).sort());
    });
  });
});

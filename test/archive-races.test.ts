import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createFolderStore } from '@keyfront/file-store';
import { eraseArchives } from '@keyfront/order-archive';
import fc from 'fast-check';
import { afterAll, expect, inject, it } from 'vitest';
import { type HolderScope, systemScope } from '../packages/server/src/database/transactions/scope.ts';
import { eraseArchivedClient } from '../packages/server/src/resources/clients/archive-client-queries.ts';
import { createErasureSource } from '../packages/server/src/resources/orders/archive/archive-queries.ts';
import { exportCsv, listFiles, openArchiving } from './support/order-archives.ts';
import { isLongRun, scaled } from './support/scale.ts';
import type { TestHolder } from './support/storefront.ts';
import { insertClient } from './support/storefront-data.ts';

const folder = join(inject('runFolder'), `archives-${randomUUID()}`);
const shop = await openArchiving(createFolderStore(folder));
const { service, sql, archive, archiveStore } = shop;
afterAll(() => service.close());
const { database } = service;

/** One order of each client in either month. */
async function insertOrders(
  { tokenId }: TestHolder,
  clientIds: readonly string[],
  run: string,
): Promise<void> {
  await sql(
    `INSERT INTO orders (token_id, client_id, invoice_number, order_status, total_amount, total_quantity, currency, created_at, updated_at, note)
     SELECT $1, client_id, $3 || '-' || month || '-' || place, 'DELIVERED', 1, 1, 'EUR', placed, placed, 'note ' || place || ' of ' || $3
     FROM unnest($2::uuid[]) WITH ORDINALITY AS clients (client_id, place),
       unnest('{2023-11-05,2023-12-05}'::timestamptz[]) WITH ORDINALITY AS months (placed, month)`,
    [tokenId, clientIds, run],
  );
}

/** Removes a client from the tables, and then from the files as `used` gives them. */
async function erase(
  { tokenId, holderId, walletAddress }: TestHolder,
  clientId: string,
  used: (calls: Calls) => Calls,
): Promise<void> {
  const scope: HolderScope = { role: 'holder', tokenId, holderId, walletAddress };
  await database.transaction(systemScope, (tx) => eraseArchivedClient(tx, scope, clientId));
  const { source, store } = used({
    source: createErasureSource(database, tokenId, clientId),
    store: archiveStore,
  });
  await eraseArchives(source as ReturnType<typeof createErasureSource>, store);
}

interface Calls {
  readonly source: object;
  readonly store: typeof archiveStore;
}

type Asynchronous = (...values: unknown[]) => Promise<unknown>;

/** Replaces all methods. */
function wrap<T extends object>(target: T, change: (method: Asynchronous, name: string) => Asynchronous): T {
  const methods = Object.entries(target) as [string, Asynchronous][];
  return Object.fromEntries(methods.map(([name, method]) => [name, change(method, name)])) as T;
}

/** What became of a call, without its content in the scheduler's report. */
const reported = (settled: PromiseSettledResult<unknown>) => ({
  settled,
  [fc.toStringMethod]: () => settled.status,
});

const seed = Number(process.env.ARCHIVE_SEED ?? Math.floor(Math.random() * 2 ** 31));

it('loses no order and keeps no erased text, in whatever order a run and two erasures take their steps, and whichever is killed', async () => {
  console.log(`ARCHIVE_SEED=${seed}`);
  const kills = fc.record({
    actor: fc.constantFrom('nobody', 'archive', 'first', 'second'),
    call: fc.integer({ min: 1, max: 10 }),
    isDone: fc.boolean(),
  });
  let killed = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), kills, async (scheduler, kill) => {
      const run = randomUUID();
      const holder = await shop.addDigitalKey();
      const clients = [0, 1, 2].map(() => insertClient(sql, holder.tokenId));
      const [first = '', second = '', third = ''] = (await Promise.all(clients)).map(({ id }) => id);
      await insertOrders(holder, [first, second, third], run);
      await archive({ before: '2023-12' });
      for (const id of [first, second])
        expect((await holder.ask('DELETE', `/dapp/clients/${id}`)).status).toBe(200);

      /** Lets the scheduler choose when each call returns, and all calls of a killed actor fail from one on. */
      const stepping = (actor: string) => {
        let calls = 0;
        const call = async (method: Asynchronous, values: unknown[]) => {
          const isKilled = kill.actor === actor && ++calls >= kill.call;
          if (isKilled && !(kill.isDone && calls === kill.call)) throw new Error('Killed');
          const result = await method(...values);
          if (isKilled) throw new Error('Killed');
          return result;
        };
        const change =
          (method: Asynchronous, name: string) =>
          async (...values: unknown[]) => {
            const called = Promise.allSettled([call(method, values)]).then(([settled]) => reported(settled));
            const { settled } = await scheduler.schedule(called, `${actor} ${name}`);
            if (settled.status === 'rejected') throw settled.reason;
            return settled.value;
          };
        return <T extends Calls>({ source, store }: T) =>
          ({ source: wrap(source, change), store: wrap(store, change) }) as T;
      };
      const outcomes = await scheduler.waitFor(
        Promise.allSettled([
          archive({ change: stepping('archive') }),
          erase(holder, first, stepping('first')),
          erase(holder, second, stepping('second')),
        ]),
      );
      for (const [at, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') continue;
        expect(outcome.reason).toMatchObject({ message: 'Killed' });
        expect(kill.actor).toBe(['archive', 'first', 'second'][at]);
        killed += 1;
      }

      // The caller sends a request without a response again, and the operator runs the command again.
      for (const id of [first, second]) await erase(holder, id, (calls) => calls);
      await sql(`UPDATE order_archive_drafts SET started_at = started_at - interval '2 days'`);
      await archive();

      const csv = await exportCsv(holder);
      const expected = [1, 2].flatMap((month) => [1, 2, 3].map((place) => `${run}-${month}-${place}`));
      for (const invoice of expected) expect(csv.split(invoice)).toHaveLength(2);
      const records = await shop.listRecords();
      expect((await listFiles(folder)).sort()).toEqual(
        records.map(({ fileName }) => fileName.split('/').at(-1)).sort(),
      );
      expect(await sql('SELECT FROM order_archive_drafts')).toEqual([]);
      const text = await shop.readArchivedText(holder.tokenId);
      expect(text).not.toContain(`note 1 of ${run}`);
      expect(text).not.toContain(`note 2 of ${run}`);
      expect(text.split(`note 3 of ${run}`)).toHaveLength(3);
    }),
    { seed, numRuns: scaled(30) },
  );
  if (isLongRun) expect(killed).toBeGreaterThan(5);
});

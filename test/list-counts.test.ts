import { randomInt } from 'node:crypto';
import type { SaleSummary } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { compactCounters } from '../packages/server/src/database/queries/counters.ts';
import { randomFrom } from './support/random-from.ts';
import { dataOf, openStorefront } from './support/storefront.ts';
import { insertClient, insertStrain } from './support/storefront-data.ts';

const { holder, sibling, sql, service } = await openStorefront();

interface Page {
  readonly pageMetaDto: { readonly itemCount: number };
}

const stages = ['LEADS', 'ONGOING', 'CLOSED'];

/** Compares the counts of the service with a count of all rows. */
async function compareCounts(): Promise<void> {
  for (const caller of [holder, sibling]) {
    const [truth] = await sql<Record<string, number>>(
      `SELECT (SELECT count(DISTINCT cart_id) FROM cart_items WHERE token_id = $1)::int AS carts,
         (SELECT count(*) FROM sales WHERE token_id = $1)::int AS sales,
         ${stages.map((stage) => `(SELECT count(*) FROM sales WHERE token_id = $1 AND stage = '${stage}')::int AS "${stage}"`).join(', ')}`,
      [caller.tokenId],
    );
    const count = async (path: string) => dataOf<Page>(await caller.ask('GET', path)).pageMetaDto.itemCount;
    expect({
      carts: await count('/dapp/carts'),
      sales: await count('/dapp/sales'),
      ...Object.fromEntries(
        await Promise.all(
          stages.map(async (stage) => [stage, await count(`/dapp/sales?stage=${stage}`)] as const),
        ),
      ),
    }).toEqual(truth);
    const summary = dataOf<SaleSummary>(await caller.ask('GET', '/dapp/sales/summary'));
    expect({ ...summary.stages, sales: summary.total, carts: truth?.carts }).toEqual(truth);
  }
}

it('counts carts and sales correctly after random changes, before and after compaction', {
  tags: ['long'],
}, async () => {
  const seed = Number(process.env.COUNTS_TEST_SEED ?? randomInt(2 ** 31));
  console.log(`COUNTS_TEST_SEED=${seed}`);
  const random = randomFrom(seed);
  const strains = await Promise.all(Array.from({ length: 3 }, () => insertStrain(sql, { stock: 1_000 })));
  const clients = await Promise.all(Array.from({ length: 4 }, () => insertClient(sql, holder.tokenId)));
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[random(items.length)];
    if (item === undefined) throw new Error('Nothing to pick from');
    return item;
  };
  const steps = {
    fill: () =>
      holder.ask('POST', '/dapp/carts', {
        body: { clientId: pick(clients).id, cartItems: [{ strainId: pick(strains).id, quantity: 1 }] },
      }),
    order: () => holder.ask('POST', '/dapp/orders', { body: { clientId: pick(clients).id } }),
    empty: async () => {
      const [cart] = await sql<{ id: string }>('SELECT id FROM carts WHERE client_id = $1', [
        pick(clients).id,
      ]);
      const only = pick(['', ...strains.map(({ id }) => `?strainId=${id}`)]);
      if (cart) await holder.ask('DELETE', `/dapp/carts/${cart.id}${only}`);
    },
    sell: () =>
      holder.ask('POST', '/dapp/sales', { body: { clientId: pick(clients).id, stage: pick(stages) } }),
    move: async () => {
      const sales = await sql<{ id: string }>('SELECT id FROM sales WHERE token_id = $1', [holder.tokenId]);
      await sql('UPDATE sales SET stage = $2 WHERE id = $1', [pick(sales).id, pick(stages)]);
    },
    fold: () => compactCounters(service.database, new AbortController().signal),
  };
  for (let step = 0; step < 80; step++) {
    await pick(Object.values(steps))();
    if (step % 10 === 9) await compareCounts();
  }
  // Every kind of step was taken, and did something.
  const [done] = await sql<Record<string, number>>(
    `SELECT (SELECT count(*) FROM carts WHERE token_id = $1)::int AS carts,
       (SELECT count(*) FROM orders WHERE token_id = $1)::int AS orders,
       (SELECT count(*) FROM counters WHERE token_id = $1)::int AS counters,
       (SELECT count(DISTINCT stage) FROM sales WHERE token_id = $1)::int AS stages`,
    [holder.tokenId],
  );
  for (const count of Object.values(done ?? {})) expect(count).toBeGreaterThan(0);
});

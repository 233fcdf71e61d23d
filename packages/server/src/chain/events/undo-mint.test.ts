import { zeroAddress } from '@keyfront/evm';
import { describe, expect, it } from 'vitest';
import { type ChainMarket, useChainMarkets } from '../../../../../test/support/chain-markets.ts';
import { Gate, GatedStatements, GatedTransactions } from '../../../../../test/support/gated-database.ts';
import { insertOrder } from '../../../../../test/support/order-data.ts';
import { insertCart, insertClient, insertStrain } from '../../../../../test/support/storefront-data.ts';

const markets = useChainMarkets();
const {
  sql,
  compactCounters,
  openMarket,
  readOwner,
  expectRightCounters,
  doneOrBlocked,
  insertKey,
  insertOffer,
} = markets;

/** Runs the work while the undo of a mint waits before its commit. `commit` lets it commit. Returns the market of the mint. */
async function duringUndo(
  work: (market: ChainMarket, commit: () => Promise<void>) => Promise<void>,
): Promise<ChainMarket> {
  const database = new GatedTransactions({ url: markets.loginUrl, poolSize: 2 });
  const gate = new Gate();
  const market = await openMarket(database);
  try {
    await market.mint();
    market.replaceBlocks(1);
    database.gate = gate;
    const undoing = market.settle();
    await gate.reached;
    await work(market, async () => {
      gate.open();
      await undoing;
    });
  } finally {
    gate.open();
    await database.close();
  }
  return market;
}

describe('a dropped mint and the job that compacts counters', () => {
  const moments = ['after the mint', 'after the undo', 'after the second mint'] as const;
  const choices = Array.from({ length: 2 ** moments.length }, (_, bits) =>
    moments.filter((_, index) => bits & (1 << index)),
  );

  it.each(choices.map((chosen) => ({ chosen, title: chosen.join(', ') || 'never' })))(
    'counts rightly when the job runs $title',
    async ({ chosen }) => {
      const compactIf = async (moment: (typeof moments)[number]) => {
        if (chosen.includes(moment)) await compactCounters();
      };
      const market = await openMarket();
      await market.mint();
      await compactIf('after the mint');
      await market.reorganise(1);
      expect(await readOwner(market.tokenId)).toBeNull();
      await compactIf('after the undo');
      expect(await expectRightCounters(market.tokenId)).toEqual({});
      await market.mint(market.ben);
      await compactIf('after the second mint');
      expect(await readOwner(market.tokenId)).toBe(market.ben);
      expect(await expectRightCounters(market.tokenId)).toEqual({ 'sale LEADS': 1 });
    },
  );

  it('undoes the mint while the job has compacted but not committed', async () => {
    const market = await openMarket();
    await market.mint();
    const database = new GatedStatements({ url: markets.loginUrl, poolSize: 2 });
    try {
      const compacting = compactCounters(database);
      await database.gate.reached;
      market.replaceBlocks(1);
      const undoing = market.settle();
      expect(await doneOrBlocked(undoing)).toBe('done');
      database.gate.open();
      await Promise.all([compacting, undoing]);
    } finally {
      database.gate.open();
      await database.close();
    }
    expect(await readOwner(market.tokenId)).toBeNull();
    await compactCounters();
    expect(await expectRightCounters(market.tokenId)).toEqual({});
    await market.mint();
    await compactCounters();
    expect(await expectRightCounters(market.tokenId)).toEqual({ 'sale LEADS': 1 });
  });

  it('compacts while the undo of the mint is not committed', async () => {
    const market = await duringUndo(async (_market, commit) => {
      const compacting = compactCounters();
      expect(await doneOrBlocked(compacting)).toBe('done');
      await Promise.all([compacting, commit()]);
    });
    expect(await readOwner(market.tokenId)).toBeNull();
    await compactCounters();
    expect(await expectRightCounters(market.tokenId)).toEqual({});
  });

  it('undoes and compacts concurrently, repeatedly', { tags: ['long'] }, async () => {
    const market = await openMarket();
    for (let round = 0; round < 20; round++) {
      await market.mint();
      market.replaceBlocks(1);
      await Promise.all([market.settle(), compactCounters(), compactCounters()]);
      await expectRightCounters(market.tokenId);
    }
    await market.mint();
    await compactCounters();
    expect(await expectRightCounters(market.tokenId)).toEqual({ 'sale LEADS': 1 });
  });
});

/** What a holder can do with a digital key, by the table that then references it. */
const uses: Record<string, (market: ChainMarket) => Promise<unknown>> = {
  api_keys: ({ tokenId }) => insertKey(tokenId),
  clients: ({ tokenId }) => insertClient(sql, tokenId),
  'carts of clients': async ({ tokenId }) => {
    const client = await insertClient(sql, tokenId);
    const strain = await insertStrain(sql);
    await insertCart(sql, tokenId, client.id, [{ strainId: strain.id, quantity: 2 }]);
  },
  orders: async ({ tokenId }) => {
    const client = await insertClient(sql, tokenId);
    await insertOrder(sql, tokenId, client.id);
  },
  sales: ({ tokenId }) =>
    sql(`UPDATE sales SET stage = 'ONGOING', description = 'Talks have begun' WHERE token_id = $1`, [
      tokenId,
    ]),
  'sales of clients': async ({ tokenId }) => {
    const client = await insertClient(sql, tokenId);
    await sql('INSERT INTO sales (token_id, client_id) VALUES ($1, $2)', [tokenId, client.id]);
  },
  nft_sales: ({ tokenId }) => insertOffer(tokenId),
  webhooks: ({ tokenId }) =>
    sql(
      `INSERT INTO webhooks (holder_id, token_id, url, event_types)
       SELECT holder_id, token_id, 'https://shop.example/events', ARRAY['*'] FROM digital_keys WHERE token_id = $1`,
      [tokenId],
    ),
};
/** References that end with the ownership, and keep no digital key. */
const endWithOwnership = ['holders'];
/** Orders reference their client and its digital key together, and so the digital key. */
const throughTheirClient = 'orders';

describe('a dropped mint and what the holder did with the digital key', () => {
  it('knows every table that references a digital key', async () => {
    const referencing = await sql<{ name: string }>(
      `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
       WHERE confrelid = 'digital_keys'::regclass AND contype = 'f' ORDER BY 1`,
    );
    // A table that is missing here needs a case above: the reader must be able to undo the mint in spite of it.
    const direct = Object.keys(uses).filter((name) => !name.includes(' ') && name !== throughTheirClient);
    const covered = [...direct, ...endWithOwnership].sort();
    expect(referencing.map(({ name }) => name)).toEqual(covered);
  });

  it.each(Object.keys(uses))('keeps the digital key for its %s, without an owner', async (name) => {
    const market = await openMarket();
    const { tokenId } = market;
    await market.mint();
    await uses[name]?.(market);
    const before = await expectRightCounters(tokenId);
    await compactCounters();
    await market.reorganise(1);
    expect(await readOwner(tokenId)).toBe(zeroAddress);
    await compactCounters();
    // Nothing that was stored is lost; what acted for the owner has ended.
    expect(await expectRightCounters(tokenId)).toEqual(before);
    const [left] = await sql<{ keys: number; offers: number; primaries: number }>(
      `SELECT (SELECT count(*) FROM api_keys WHERE token_id = $1 AND revoked_at IS NULL)::int AS keys,
         (SELECT count(*) FROM nft_sales WHERE token_id = $1 AND state IN ('DRAFT', 'LISTED'))::int AS offers,
         (SELECT count(*) FROM holders WHERE primary_token_id = $1)::int AS primaries`,
      [tokenId],
    );
    expect(left).toEqual({ keys: 0, offers: 0, primaries: 0 });

    await market.mint(market.ben);
    await compactCounters();
    expect(await readOwner(tokenId)).toBe(market.ben);
    expect(await expectRightCounters(tokenId)).toEqual(before);
    // The second mint can be dropped as the first one.
    await market.reorganise(1);
    expect(await readOwner(tokenId)).toBe(zeroAddress);
  });

  it('removes the digital key when the holder only chose it as the primary one', async () => {
    const market = await openMarket();
    const { tokenId, ada } = market;
    await market.mine({ kind: 'mint', tokenId: tokenId + 500_000, to: ada });
    await market.mint();
    await sql('UPDATE holders SET primary_token_id = $2 WHERE wallet_address = $1', [ada, tokenId]);
    await compactCounters();
    await market.reorganise(1);
    expect(await readOwner(tokenId)).toBeNull();
    const [holder] = await sql<{ primary: string }>(
      'SELECT primary_token_id AS primary FROM holders WHERE wallet_address = $1',
      [ada],
    );
    expect(Number(holder?.primary)).toBe(tokenId + 500_000);
  });

  it.each([
    'UPDATE sales SET description = $2 WHERE token_id = $1',
    `INSERT INTO clients (token_id, first_name, last_name, email) VALUES ($1, 'Ada', 'Example', $2)`,
  ])('sees what another transaction writes at the same time: %s', async (change) => {
    const market = await openMarket();
    const { tokenId } = market;
    await market.mint();
    await compactCounters();
    const client = await markets.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query(change, [tokenId, 'ada@example.org']);
      market.replaceBlocks(1);
      const undoing = market.settle();
      expect(await doneOrBlocked(undoing)).toBe('blocked');
      await client.query('COMMIT');
      await undoing;
    } finally {
      client.release(true);
    }
    expect(await readOwner(tokenId)).toBe(zeroAddress);
    await expectRightCounters(tokenId);
  });

  it('lets nobody use the digital key while it is being removed', async () => {
    const market = await duringUndo(async ({ tokenId }, commit) => {
      const inserting = insertClient(sql, tokenId);
      const refusal = expect(inserting).rejects.toThrow('clients_token_id_fkey');
      expect(await doneOrBlocked(inserting)).toBe('blocked');
      await commit();
      await refusal;
    });
    expect(await readOwner(market.tokenId)).toBeNull();
    await compactCounters();
    expect(await expectRightCounters(market.tokenId)).toEqual({});
  });
});

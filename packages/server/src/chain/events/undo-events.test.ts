import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Action,
  FakeChain,
  fakeMarketplace,
  fakeToken,
} from '../../../../../test/support/fake-chain.ts';
import { insertOrder } from '../../../../../test/support/order-data.ts';
import { insertCart, insertClient, insertStrain } from '../../../../../test/support/storefront-data.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { until } from '../../../../../test/support/until.ts';
import { Database } from '../../database/database.ts';
import { compactAllCounters } from '../../jobs/compact-counters.ts';
import { revokeKey } from '../../resources/keys/key-rules.ts';
import { ChainReader } from '../chain-reader.ts';
import { openChainSource } from '../chain-source.ts';
import { zeroAddress } from '../zero-address.ts';

const contracts = { token: fakeToken, marketplace: fakeMarketplace };

let test: TestDatabase;
let owner: pg.Pool;
beforeAll(async () => {
  test = await createTestDatabase();
  owner = new pg.Pool({ connectionString: test.ownerUrl, options: '-c search_path=keyfront', max: 4 });
  await sql(`INSERT INTO planets (number, name) VALUES (1, 'Verdane')`);
});
afterAll(async () => {
  await owner.end();
  await test.drop();
});

const sql = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  (await owner.query<Row>(text, values)).rows;
const fold = (database = test.database) => compactAllCounters.work(database, new AbortController().signal);

let lastNumber = 0;

/** A chain, a reader that has read its first blocks, one digital key that is not minted yet and three wallets. */
async function openMarket(database = test.database) {
  const number = ++lastNumber;
  const chain = new FakeChain(7_000_000 + number, 12);
  const reader = new ChainReader({
    database,
    source: openChainSource(async (method, params) => chain.answer(method, params), contracts),
    name: { chainId: chain.chainId, contracts },
    startBlock: 0,
  });
  /** Steps until there is nothing new. */
  const settle = async () => {
    for (let outcome = await reader.step(); outcome !== 'waiting'; outcome = await reader.step()) {
      if (outcome === 'stopped') throw new Error('The reader has stopped');
    }
  };
  const wallet = (index: number): Hex => `0x${(number * 16 + index).toString(16).padStart(40, '0')}`;
  const [ada, ben, cleo] = [wallet(1), wallet(2), wallet(3)];
  const tokenId = 7_000_000 + number;
  const mine = async (...actions: Action[]) => {
    chain.mine(actions);
    await settle();
  };
  /** Drops blocks from the end; as many empty ones take their place. */
  const replaceBlocks = (count: number) => {
    chain.drop(count);
    for (let mined = 0; mined < count; mined++) chain.mine([]);
  };
  await settle();
  return {
    chain,
    reader,
    settle,
    tokenId,
    ada,
    ben,
    cleo,
    mine,
    mint: (to: Hex = ada) => mine({ kind: 'mint', tokenId, to }),
    replaceBlocks,
    reorganise: async (count: number) => {
      replaceBlocks(count);
      await settle();
    },
  };
}

async function readOwner(tokenId: number): Promise<string | null> {
  const [row] = await sql<{ owner: string }>(
    'SELECT wallet_address AS owner FROM digital_keys JOIN holders ON holders.id = holder_id WHERE token_id = $1',
    [tokenId],
  );
  return row?.owner ?? null;
}

/** What the counters of a digital key say, without zeros, and what they should say. */
async function readCounters(tokenId: number) {
  const read = async (text: string) =>
    Object.fromEntries(
      (await sql<{ name: string; count: string }>(text, [tokenId])).map(({ name, count }) => [
        name,
        Number(count),
      ]),
    );
  const counted = await read(
    `SELECT name, sum(count) AS count FROM (
       SELECT kind || ' ' || state AS name, entries AS count FROM tallies WHERE token_id = $1
       UNION ALL SELECT kind || ' ' || state, entries FROM tally_changes WHERE token_id = $1
       UNION ALL SELECT 'order ' || order_status, orders FROM order_tallies WHERE token_id = $1 AND day = '-infinity'
       UNION ALL SELECT 'order ' || order_status, orders FROM order_tally_changes WHERE token_id = $1
       UNION ALL SELECT 'client ' || admin_approval, clients FROM client_tallies WHERE token_id = $1
     ) AS counters GROUP BY name HAVING sum(count) <> 0`,
  );
  const stored = await read(
    `SELECT name, count(*) AS count FROM (
       SELECT 'sale ' || stage AS name FROM sales WHERE token_id = $1
       UNION ALL SELECT 'cart FILLED' FROM carts
         WHERE token_id = $1 AND EXISTS (SELECT FROM cart_items WHERE cart_id = carts.id)
       UNION ALL SELECT 'order ' || order_status FROM orders WHERE token_id = $1
       UNION ALL SELECT 'client ' || admin_approval FROM clients WHERE token_id = $1
     ) AS entries GROUP BY name`,
  );
  return { counted, stored };
}

async function expectRightCounters(tokenId: number): Promise<Record<string, number>> {
  const { counted, stored } = await readCounters(tokenId);
  expect(counted).toEqual(stored);
  return counted;
}

/** Holds whoever comes until it is opened. */
class Gate {
  readonly reached: Promise<void>;
  readonly #opened: Promise<void>;
  #arrive = (): void => undefined;
  open = (): void => undefined;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#arrive = resolve;
    });
    this.#opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  async pass(): Promise<void> {
    this.#arrive();
    await this.#opened;
  }
}

/** A database whose transactions wait at a gate before they commit. */
class GatedTransactions extends Database {
  gate: Gate | null = null;

  override transaction: Database['transaction'] = (scope, work) =>
    super.transaction(scope, async (run) => {
      const result = await work(run);
      await this.gate?.pass();
      return result;
    });
}

/** A database on which single statements wait at a gate before they commit. */
class GatedStatements extends Database {
  readonly gate = new Gate();

  override query: Database['query'] = (scope, statement, values) =>
    this.transaction(scope, async (run) => {
      const rows = await run(statement, values);
      await this.gate.pass();
      return rows;
    });
}

const countWaiting = async () =>
  Number(
    (
      await sql<{ n: string }>(
        `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()
         AND backend_type = 'client backend' AND wait_event_type = 'Lock'`,
      )
    )[0]?.n,
  );

/** Waits until the work is done, or waits for a lock of another transaction. Says which. */
async function doneOrBlocked(work: Promise<unknown>): Promise<'done' | 'blocked'> {
  let isDone = false;
  const note = () => {
    isDone = true;
  };
  work.then(note, note);
  await until(countWaiting, (waiting) => isDone || waiting > 0);
  return isDone ? 'done' : 'blocked';
}

it('reports what the chain does to a digital key, and what it takes back', async () => {
  const market = await openMarket();
  const { tokenId, ada, ben } = market;
  await market.mint(ada);
  const [sale] = await sql<{ id: string }>(
    `INSERT INTO nft_sales (token_id, seller_id, price, currency, expires_at)
     SELECT token_id, holder_id, 1, 'ETH', now() + interval '1 day' FROM digital_keys WHERE token_id = $1 RETURNING id`,
    [tokenId],
  );
  const saleId = sale?.id ?? '';
  await market.mine({ kind: 'list', tokenId, saleId, owner: ada, price: 10n ** 18n });
  await market.mine({ kind: 'sell', tokenId, saleId, seller: ada, buyer: ben, price: 10n ** 18n });
  await market.reorganise(1);
  const events = await sql<{ type: string; of: string }>(
    `SELECT type, coalesce(snapshot ->> 'state', snapshot ->> 'type') AS of FROM events WHERE token_id = $1
     ORDER BY transaction_number, sequence_number`,
    [tokenId],
  );
  expect(events.map((event) => `${event.type} ${event.of}`)).toEqual([
    'nft_sale.listed LISTED',
    'nft.transferred TRANSFER',
    'nft_sale.sold SOLD',
    'nft.reorganised SALE',
    'nft.reorganised TRANSFER',
  ]);
});

describe('a dropped mint and the job that compacts counters', () => {
  const moments = ['after the mint', 'after the undo', 'after the second mint'] as const;
  const choices = Array.from({ length: 2 ** moments.length }, (_, bits) =>
    moments.filter((_, index) => bits & (1 << index)),
  );

  it.each(choices.map((chosen) => ({ chosen, title: chosen.join(', ') || 'never' })))(
    'counts rightly when the job runs $title',
    async ({ chosen }) => {
      const foldIf = async (moment: (typeof moments)[number]) => {
        if (chosen.includes(moment)) await fold();
      };
      const market = await openMarket();
      await market.mint();
      await foldIf('after the mint');
      await market.reorganise(1);
      expect(await readOwner(market.tokenId)).toBeNull();
      await foldIf('after the undo');
      expect(await expectRightCounters(market.tokenId)).toEqual({});
      await market.mint(market.ben);
      await foldIf('after the second mint');
      expect(await readOwner(market.tokenId)).toBe(market.ben);
      expect(await expectRightCounters(market.tokenId)).toEqual({ 'sale LEADS': 1 });
    },
  );

  it('undoes the mint while the job has compacted but not committed', async () => {
    const market = await openMarket();
    await market.mint();
    const database = new GatedStatements({ url: test.loginUrl, poolSize: 2 });
    try {
      const folding = fold(database);
      await database.gate.reached;
      market.replaceBlocks(1);
      const undoing = market.settle();
      expect(await doneOrBlocked(undoing)).toBe('done');
      database.gate.open();
      await Promise.all([folding, undoing]);
    } finally {
      database.gate.open();
      await database.close();
    }
    expect(await readOwner(market.tokenId)).toBeNull();
    await fold();
    expect(await expectRightCounters(market.tokenId)).toEqual({});
    await market.mint();
    await fold();
    expect(await expectRightCounters(market.tokenId)).toEqual({ 'sale LEADS': 1 });
  });

  it('compacts while the undo of the mint is not committed', async () => {
    const database = new GatedTransactions({ url: test.loginUrl, poolSize: 2 });
    const gate = new Gate();
    const market = await openMarket(database);
    try {
      await market.mint();
      market.replaceBlocks(1);
      database.gate = gate;
      const undoing = market.settle();
      await gate.reached;
      const folding = fold();
      expect(await doneOrBlocked(folding)).toBe('done');
      gate.open();
      await Promise.all([folding, undoing]);
    } finally {
      gate.open();
      await database.close();
    }
    expect(await readOwner(market.tokenId)).toBeNull();
    await fold();
    expect(await expectRightCounters(market.tokenId)).toEqual({});
  });

  it('undoes and compacts concurrently, repeatedly', async () => {
    const market = await openMarket();
    for (let round = 0; round < 20; round++) {
      await market.mint();
      market.replaceBlocks(1);
      await Promise.all([market.settle(), fold(), fold()]);
      await expectRightCounters(market.tokenId);
    }
    await market.mint();
    await fold();
    expect(await expectRightCounters(market.tokenId)).toEqual({ 'sale LEADS': 1 });
  });
});

type Market = Awaited<ReturnType<typeof openMarket>>;

const insertKey = (tokenId: number) =>
  sql(
    `INSERT INTO api_keys (holder_id, token_id, key_name, public_key)
     SELECT holder_id, token_id, 'Storefront', decode(md5($2), 'hex') FROM digital_keys WHERE token_id = $1`,
    [tokenId, randomUUID()],
  );
const insertOffer = async (tokenId: number, state = 'DRAFT') => {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO nft_sales (token_id, seller_id, price, currency, state, expires_at)
     SELECT token_id, holder_id, 1, 'ETH', $2, now() + interval '1 day' FROM digital_keys WHERE token_id = $1
     RETURNING id`,
    [tokenId, state],
  );
  return row?.id ?? '';
};
const readOffer = async (id: string) =>
  (await sql<{ state: string }>('SELECT state FROM nft_sales WHERE id = $1', [id]))[0]?.state;

/** What a holder can do with a digital key, by the table that then references it. */
const uses: Record<string, (market: Market) => Promise<unknown>> = {
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
    await fold();
    await market.reorganise(1);
    expect(await readOwner(tokenId)).toBe(zeroAddress);
    await fold();
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
    await fold();
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
    await fold();
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
    await fold();
    const client = await owner.connect();
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
    const database = new GatedTransactions({ url: test.loginUrl, poolSize: 2 });
    const gate = new Gate();
    const market = await openMarket(database);
    try {
      await market.mint();
      market.replaceBlocks(1);
      database.gate = gate;
      const undoing = market.settle();
      await gate.reached;
      const inserting = insertClient(sql, market.tokenId);
      const refusal = expect(inserting).rejects.toThrow('clients_token_id_fkey');
      expect(await doneOrBlocked(inserting)).toBe('blocked');
      gate.open();
      await undoing;
      await refusal;
    } finally {
      gate.open();
      await database.close();
    }
    expect(await readOwner(market.tokenId)).toBeNull();
    await fold();
    expect(await expectRightCounters(market.tokenId)).toEqual({});
  });
});

describe('dropped blocks and offers', () => {
  const price = 10n ** 18n;

  it('returns the offer back to the seller when the buyer has offered the digital key too', async () => {
    const market = await openMarket();
    const { tokenId, ada, ben } = market;
    await market.mint();
    const first = await insertOffer(tokenId, 'LISTED');
    await market.mine({ kind: 'sell', tokenId, saleId: first, seller: ada, buyer: ben, price });
    expect(await readOffer(first)).toBe('SOLD');
    const second = await insertOffer(tokenId);
    await market.reorganise(1);
    expect([await readOwner(tokenId), await readOffer(first), await readOffer(second)]).toEqual([
      ada,
      'LISTED',
      'CANCELLED',
    ]);
  });

  it('drops the mint together with the purchase of a digital key that the buyer has offered', async () => {
    const market = await openMarket();
    const { tokenId, ada, ben } = market;
    await market.mint();
    const first = await insertOffer(tokenId, 'LISTED');
    await market.mine({ kind: 'sell', tokenId, saleId: first, seller: ada, buyer: ben, price });
    const second = await insertOffer(tokenId);
    await fold();
    await market.reorganise(2);
    expect([await readOwner(tokenId), await readOffer(first), await readOffer(second)]).toEqual([
      zeroAddress,
      'CANCELLED',
      'CANCELLED',
    ]);
  });

  it.each(['as it is noted now', 'as it was noted before'])(
    'lets a newer offer of the seller stand when a cancellation is dropped (%s)',
    async (form) => {
      const market = await openMarket();
      const { tokenId, ada, chain } = market;
      await market.mint();
      const first = await insertOffer(tokenId, 'LISTED');
      await market.mine({ kind: 'cancel', tokenId, saleId: first, owner: ada });
      const second = await insertOffer(tokenId);
      if (form === 'as it was noted before') {
        await sql(`UPDATE chain_changes SET change = change - 'after' WHERE chain_id = $1`, [chain.chainId]);
      }
      await market.reorganise(1);
      expect([await readOffer(first), await readOffer(second)]).toEqual(['CANCELLED', 'DRAFT']);
    },
  );

  it('leaves an offer that the seller has cancelled since', async () => {
    const market = await openMarket();
    const { tokenId, ada } = market;
    await market.mint();
    const offer = await insertOffer(tokenId);
    await market.mine({ kind: 'list', tokenId, saleId: offer, owner: ada, price });
    expect(await readOffer(offer)).toBe('LISTED');
    await sql(`UPDATE nft_sales SET state = 'CANCELLED' WHERE id = $1`, [offer]);
    const next = await insertOffer(tokenId);
    await market.reorganise(1);
    expect([await readOffer(offer), await readOffer(next)]).toEqual(['CANCELLED', 'DRAFT']);
  });

  it('undoes several changes of one offer', async () => {
    const market = await openMarket();
    const { tokenId, ada, ben } = market;
    await market.mint();
    const offer = await insertOffer(tokenId);
    await market.mine({ kind: 'list', tokenId, saleId: offer, owner: ada, price });
    await market.mine({ kind: 'sell', tokenId, saleId: offer, seller: ada, buyer: ben, price });
    expect(await readOffer(offer)).toBe('SOLD');
    await market.reorganise(2);
    expect([await readOwner(tokenId), await readOffer(offer)]).toEqual([ada, 'DRAFT']);
  });
});

describe('dropped transfers and API keys', () => {
  /** A digital key of Ada with two API keys, one of which she can revoke. */
  async function openMarketWithKeys() {
    const market = await openMarket();
    const { tokenId, ada } = market;
    await market.mint();
    await insertKey(tokenId);
    await insertKey(tokenId);
    const keys = await sql<{ id: string; holderId: string }>(
      'SELECT id, holder_id AS "holderId" FROM api_keys WHERE token_id = $1 ORDER BY id',
      [tokenId],
    );
    const [kept, ended] = keys;
    if (!kept || !ended) throw new Error('Both keys must exist');
    const scope = { role: 'holder', holderId: ended.holderId, tokenId, walletAddress: ada } as const;
    return {
      ...market,
      kept: kept.id,
      ended: ended.id,
      revoke: (id: string) => revokeKey(test.database, scope, id),
      liveKeys: async () =>
        (
          await sql<{ id: string }>(
            'SELECT id FROM api_keys WHERE token_id = $1 AND revoked_at IS NULL ORDER BY id',
            [tokenId],
          )
        ).map(({ id }) => id),
    };
  }

  it('restores the API keys of the former owner', async () => {
    const { mine, reorganise, liveKeys, kept, ended, tokenId, ada, ben } = await openMarketWithKeys();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    expect(await liveKeys()).toEqual([]);
    await reorganise(1);
    expect(await liveKeys()).toEqual([kept, ended]);
  });

  it('does not restore an API key that its holder revoked after the transfer', async () => {
    const { mine, reorganise, liveKeys, revoke, kept, ended, tokenId, ada, ben } = await openMarketWithKeys();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    const { revokedAt } = await revoke(ended);
    await reorganise(1);
    expect(await liveKeys()).toEqual([kept]);
    expect((await revoke(ended)).revokedAt).toBe(revokedAt);
  });

  it('does not restore an API key that its holder revoked after the digital key had come back', async () => {
    const { mine, reorganise, liveKeys, revoke, kept, ended, tokenId, ada, ben } = await openMarketWithKeys();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await mine({ kind: 'transfer', tokenId, from: ben, to: ada });
    await revoke(ended);
    await reorganise(2);
    expect(await liveKeys()).toEqual([kept]);
  });

  it('does not restore an API key that its holder revoked before the transfer', async () => {
    const { mine, reorganise, liveKeys, revoke, kept, ended, tokenId, ada, ben } = await openMarketWithKeys();
    await revoke(ended);
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await reorganise(1);
    expect(await liveKeys()).toEqual([kept]);
  });

  it('does not restore an API key if it is not known who revoked it', async () => {
    const { mine, reorganise, liveKeys, kept, ended, tokenId, ada, ben } = await openMarketWithKeys();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await sql('UPDATE api_keys SET revoked_by = NULL WHERE id = $1', [ended]);
    await reorganise(1);
    expect(await liveKeys()).toEqual([kept]);
  });
});

describe('the nonce of a digital key', () => {
  const readNonce = async (tokenId: number) =>
    Number(
      (await sql<{ nonce: string }>('SELECT nonce FROM digital_keys WHERE token_id = $1', [tokenId]))[0]
        ?.nonce,
    );

  it('counts changes of the owner, and dropped ones no longer', async () => {
    const { mine, mint, reorganise, tokenId, ada, ben, cleo } = await openMarket();
    await mint();
    expect(await readNonce(tokenId)).toBe(1);
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await mine({ kind: 'transfer', tokenId, from: ben, to: ben });
    const saleId = randomUUID();
    await mine({ kind: 'sell', tokenId, saleId, seller: ben, buyer: cleo, price: 1n });
    expect(await readNonce(tokenId)).toBe(3);
    await reorganise(2);
    expect(await readNonce(tokenId)).toBe(2);
    await reorganise(3);
    expect(await readNonce(tokenId)).toBe(1);
  });

  it('counts the mint of a digital key that the service had before, such as that of the demo', async () => {
    const { mint, tokenId, ada } = await openMarket();
    await sql(
      `WITH holder AS (INSERT INTO holders (wallet_address) VALUES ($2) RETURNING id)
       INSERT INTO digital_keys (token_id, holder_id, planet_id)
       SELECT $1, holder.id, planets.id FROM holder, planets`,
      [tokenId, ada],
    );
    await mint();
    expect(await readNonce(tokenId)).toBe(1);
  });

  it('stays the same when another marketplace contract makes the reader start again', async () => {
    const { chain, mine, mint, tokenId, ada, ben } = await openMarket();
    await mint();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await insertKey(tokenId);
    const offer = await insertOffer(tokenId, 'LISTED');
    const another = { token: fakeToken, marketplace: `0x${'4b'.repeat(20)}` };
    await readAll(chain, another);
    expect([await readNonce(tokenId), await readOwner(tokenId)]).toEqual([2, ben]);
    // The transfers of the past are not applied again, so what the owner has stays theirs.
    expect(await readOffer(offer)).toBe('LISTED');
    const revoked = await sql('SELECT FROM api_keys WHERE token_id = $1 AND revoked_at IS NOT NULL', [
      tokenId,
    ]);
    expect(revoked).toEqual([]);

    chain.mine([{ kind: 'transfer', tokenId, from: ben, to: ada }]);
    await readAll(chain, another);
    expect([await readNonce(tokenId), await readOwner(tokenId)]).toEqual([3, ada]);
    chain.drop(1);
    chain.mine([]);
    await readAll(chain, another);
    expect([await readNonce(tokenId), await readOwner(tokenId)]).toEqual([2, ben]);
  });

  it('starts again with another token contract', async () => {
    const { mine, mint, tokenId, ada, ben } = await openMarket();
    await mint();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await sql('UPDATE digital_keys SET nonce_contract = $2 WHERE token_id = $1', [tokenId, ben]);
    await mine({ kind: 'transfer', tokenId, from: ben, to: ada });
    expect(await readNonce(tokenId)).toBe(1);
  });
});

async function readAll(chain: FakeChain, watched: typeof contracts | { token: Hex; marketplace: string }) {
  const name = { chainId: chain.chainId, contracts: watched };
  const source = openChainSource(async (method, params) => chain.answer(method, params), watched);
  const reader = new ChainReader({ database: test.database, source, name, startBlock: 0 });
  for (let outcome = await reader.step(); outcome !== 'waiting'; outcome = await reader.step());
}

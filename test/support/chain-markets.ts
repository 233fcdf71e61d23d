import { randomUUID } from 'node:crypto';
import { openChainSource } from '@keyfront/evm/chain';
import pg from 'pg';
import type { Hex } from 'viem';
import { afterAll, beforeAll, expect } from 'vitest';
import { compactAllCounters } from '../../packages/server/src/boot/jobs/compact-counters.ts';
import { ChainReader } from '../../packages/server/src/chain/reader/chain-reader.ts';
import { type Action, FakeChain, fakeMarketplace, fakeToken } from './fake-chain.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { until } from './until.ts';

export const fakeContracts = { token: fakeToken, marketplace: fakeMarketplace };

export type ChainMarket = Awaited<ReturnType<ReturnType<typeof useChainMarkets>['openMarket']>>;

/** Gives the tests of a file a database of their own, with any number of chains whose events a reader applies to it. */
export function useChainMarkets() {
  let test: TestDatabase;
  let owner: pg.Pool;
  beforeAll(async () => {
    test = await createTestDatabase();
    owner = new pg.Pool({ connectionString: test.ownerUrl, options: '-c search_path=keyfront', max: 4 });
    await sql(`INSERT INTO planets (number, name) VALUES (1, 'Verdane')`);
  });
  afterAll(async () => {
    await owner.end();
    await test.close();
  });

  const sql = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await owner.query<Row>(text, values)).rows;
  const compactCounters = (database = test.database) =>
    compactAllCounters.work(database, new AbortController().signal);

  let lastNumber = 0;

  /** A chain, a reader that has read its first blocks, one digital key that is not minted yet and three wallets. */
  async function openMarket(database = test.database) {
    const number = ++lastNumber;
    const chain = new FakeChain(7_000_000 + number, 12);
    const reader = new ChainReader({
      database,
      source: openChainSource(async (method, params) => chain.answer(method, params), fakeContracts),
      name: { chainId: chain.chainId, contracts: fakeContracts },
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
         SELECT kind || ' ' || state AS name, entries AS count FROM counters WHERE token_id = $1
         UNION ALL SELECT kind || ' ' || state, entries FROM counter_changes WHERE token_id = $1
         UNION ALL SELECT 'order ' || order_status, orders FROM order_counters WHERE token_id = $1 AND day = '-infinity'
         UNION ALL SELECT 'order ' || order_status, orders FROM order_counter_changes WHERE token_id = $1
         UNION ALL SELECT 'client ' || admin_approval, clients FROM client_counters WHERE token_id = $1
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

  return {
    get database() {
      return test.database;
    },
    get loginUrl() {
      return test.loginUrl;
    },
    get owner() {
      return owner;
    },
    sql,
    compactCounters,
    openMarket,
    readOwner,
    expectRightCounters,
    doneOrBlocked,
    insertKey,
    insertOffer,
    readOffer,
  };
}

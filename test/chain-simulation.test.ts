import { randomUUID } from 'node:crypto';
import { RpcFault, zeroAddress } from '@keyfront/evm';
import { type AskNode, openChainSource } from '@keyfront/evm/chain';
import pg from 'pg';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChainReader } from '../packages/server/src/chain/reader/chain-reader.ts';
import { Database } from '../packages/server/src/database/database.ts';
import { writeKeyUses } from '../packages/server/src/resources/keys/key-queries.ts';
import { type Action, FakeChain, fakeMarketplace, fakeToken } from './support/fake-chain.ts';
import { JobRunner } from './support/job-runner.ts';
import { randomFrom } from './support/random-from.ts';
import { scaled } from './support/scale.ts';
import { findContradictions, SimulatedHolders } from './support/simulated-holders.ts';
import {
  type GroundTruth,
  type KnownSale,
  SimulatedMarket,
  workOutTruth,
} from './support/simulated-market.ts';
import { insertStrain } from './support/storefront-data.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

const contracts = { token: fakeToken, marketplace: fakeMarketplace };
const finalAfter = 12;
const firstSeed = Number(process.env.CHAIN_TEST_SEED ?? Math.floor(Math.random() * 1_000_000));
// Other seeds with every run; CHAIN_TEST_SEEDS=200 is worth the while after a change of the reader.
const seedCount = Number(process.env.CHAIN_TEST_SEEDS ?? scaled(4));
/** Seeds that once found a fault. */
const notableSeeds: readonly number[] = [552749, 766208, 974386, 640497];

let test: TestDatabase;
let owner: pg.Pool;
let strainId: string;
beforeAll(async () => {
  test = await createTestDatabase();
  owner = new pg.Pool({ connectionString: test.ownerUrl, options: '-c search_path=keyfront', max: 1 });
  await sql(`INSERT INTO planets (number, name) VALUES (1, 'Verdane'), (2, 'Low Tide')`);
  strainId = (await insertStrain(sql)).id;
});
afterAll(async () => {
  await owner.end();
  await test.close();
});

const sql = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await owner.query<Row>(text, values)).rows;

/** A node that fails now and then, in all the ways that nodes fail. */
function faultyNode(chain: FakeChain, random: (below: number) => number): AskNode {
  return async (method, params) => {
    switch (random(14)) {
      case 0:
        throw new RpcFault('no answer of use');
      case 1:
        return '<html>502 Bad Gateway</html>';
      case 2:
        return null;
      case 3: {
        // One of several nodes behind an address, and not the newest.
        const lag = 1 + random(3);
        try {
          return chain.answer(method, params, lag);
        } catch (error) {
          throw new RpcFault(String(error));
        }
      }
      case 4: {
        // What it says belongs to another question. Only of what is final it speaks the truth: nobody could tell.
        if (params[0] === 'finalized') break;
        const answer = chain.answer('eth_getBlockByNumber', [
          `0x${random(chain.blocks.length).toString(16)}`,
        ]);
        return method === 'eth_getLogs' ? [answer] : answer;
      }
    }
    try {
      return chain.answer(method, params);
    } catch (error) {
      throw new RpcFault(String(error));
    }
  };
}

class Killed extends Error {
  override name = 'Killed';
}

/** A database whose process may die within a transaction, after any statement. */
class DyingDatabase extends Database {
  dieAfter = Number.POSITIVE_INFINITY;
  /** Called before each statement of a transaction. */
  onStatement: () => void = () => undefined;

  override transaction: Database['transaction'] = (scope, work) =>
    super.transaction(scope, (tx) => {
      const counted: typeof tx = Object.assign(
        ((statement, values) => {
          this.onStatement();
          if (this.dieAfter-- <= 0) throw new Killed();
          return tx(statement, values);
        }) as typeof tx,
        { atCommit: tx.atCommit, requireOwnTransaction: tx.requireOwnTransaction },
      );
      return work(counted);
    });
}

async function simulate(seed: number, database: DyingDatabase, jobDatabase: Database): Promise<void> {
  const random = randomFrom(seed);
  // Numbers of their own, so that a seed keeps its chain whatever jobs and holders do.
  const randomJob = randomFrom(seed + 1_000_000_000);
  const writeUse = async () => {
    const keys = await sql<{ id: string }>(
      'SELECT id FROM api_keys WHERE token_id BETWEEN $1 AND $1 + 999 ORDER BY token_id, key_name',
      [seed * 1_000],
    );
    const key = keys[randomJob(Math.max(1, keys.length))];
    if (key) await writeKeyUses(jobDatabase, new Map([[key.id, Date.now()]]));
  };
  const jobs = new JobRunner(jobDatabase, randomJob, [writeUse]);
  try {
    await runSimulation(seed, random, database, jobs);
  } finally {
    database.onStatement = () => undefined;
    await jobs.finish();
  }
}

async function runSimulation(
  seed: number,
  random: (below: number) => number,
  database: DyingDatabase,
  jobs: JobRunner,
): Promise<void> {
  const chainId = 1_000_000 + seed;
  const firstToken = seed * 1_000;
  const wallets = Array.from(
    { length: 4 },
    (_, index): Hex => `0x${seed.toString(16).padStart(20, '0')}${index.toString(16).padStart(20, '0')}`,
  );
  const chain = new FakeChain(chainId, finalAfter);
  const name = { chainId, contracts };
  const openReader = (ask: AskNode) =>
    new ChainReader({ database, source: openChainSource(ask, contracts), name, startBlock: 0 });
  const calm: AskNode = async (method, params) => chain.answer(method, params);

  // Tokens of the first hour, their owners' keys and what they have on offer.
  const firstOwners = new Map<number, Hex>();
  for (let index = 0; index < 4; index++) {
    const to = wallets[random(wallets.length)] ?? '0x';
    firstOwners.set(firstToken + index, to);
    chain.mine([{ kind: 'mint', tokenId: firstToken + index, to }]);
  }
  for (let count = 0; count < finalAfter; count++) chain.mine([]);
  await settle(openReader(calm));
  const knownSales = await prepare(firstOwners, random);

  const market = new SimulatedMarket(random, firstToken, wallets, knownSales);
  const randomAct = randomFrom(seed + 2_000_000_000);
  const holders = new SimulatedHolders(sql, randomAct, firstToken, strainId);
  database.onStatement = () => jobs.mayStart(6);
  let reader = openReader(faultyNode(chain, random));
  for (let round = 0; round < 14; round++) {
    const reorganised = random(3) === 0 ? 1 + random(Math.min(10, chain.head.number)) : 0;
    chain.drop(reorganised);
    for (let count = reorganised + random(3); count >= 0; count--) {
      const actions: Action[] = [];
      for (let more = random(3); more > 0; more--) actions.push(market.nextAction(chain, actions));
      chain.mine(actions);
    }
    database.dieAfter = random(4) === 0 ? random(20) : Number.POSITIVE_INFINITY;
    for (let steps = random(8); steps > 0; steps--) {
      jobs.mayStart(1);
      // What is folded before a step and what is folded during it are different cases.
      if (randomAct(2) === 0) await jobs.finish();
      if (randomAct(2) === 0) await holders.act();
      try {
        await reader.step();
      } catch (error) {
        if (!(error instanceof RpcFault || error instanceof Killed)) throw error;
        // Killed, and started again: nothing is left of what it had in mind.
        if (error instanceof Killed) reader = openReader(faultyNode(chain, random));
        database.dieAfter = Number.POSITIVE_INFINITY;
      }
    }
    await jobs.finish();
  }
  database.dieAfter = Number.POSITIVE_INFINITY;
  await settle(openReader(calm));
  expect(await readTables(chainId, firstToken, knownSales)).toEqual(
    workOutTruth(chain, knownSales, firstOwners),
  );
  await jobs.finish();
  expect(await findContradictions(sql, firstToken)).toEqual([]);
}

/** Steps until there is nothing new. */
async function settle(reader: ChainReader): Promise<void> {
  for (let outcome = await reader.step(); outcome !== 'waiting'; outcome = await reader.step()) {
    if (outcome === 'stopped') throw new Error('The reader has stopped');
  }
}

async function prepare(
  firstOwners: ReadonlyMap<number, Hex>,
  random: (below: number) => number,
): Promise<KnownSale[]> {
  const sales: KnownSale[] = [];
  for (const [tokenId, seller] of firstOwners) {
    const sale: KnownSale = {
      id: randomUUID(),
      tokenId,
      seller,
      state: random(2) === 0 ? 'DRAFT' : 'LISTED',
    };
    if (random(4) > 0) sales.push(sale);
    await sql(
      `WITH holder AS (SELECT id FROM holders WHERE wallet_address = $2), key AS (
         INSERT INTO api_keys (holder_id, token_id, key_name, public_key)
         SELECT id, $1, 'simulated', decode(md5($3), 'hex') FROM holder
       ), sale AS (
         INSERT INTO nft_sales (id, token_id, seller_id, price, currency, state, expires_at)
         SELECT $3::uuid, $1, id, 1, 'ETH', $4, now() + interval '1 day' FROM holder WHERE $5 RETURNING id
       )
       INSERT INTO transactions (type, token_id, from_address, sale_id, occurred_at, origin)
       SELECT 'LIST', $1, $2, id, now(), 'SIGNATURE' FROM sale WHERE $4 = 'LISTED'`,
      [tokenId, seller, sale.id, sale.state, sales.includes(sale)],
    );
  }
  return sales;
}

async function readTables(
  chainId: number,
  firstToken: number,
  sales: readonly KnownSale[],
): Promise<GroundTruth> {
  const owners = await sql<{ token: string; owner: string }>(
    `SELECT token_id AS token, wallet_address AS owner FROM digital_keys JOIN holders ON holders.id = holder_id
     WHERE token_id BETWEEN $1 AND $1 + 999 AND wallet_address <> $2 ORDER BY token_id`,
    [firstToken, zeroAddress],
  );
  const states = await sql<{ id: string; state: KnownSale['state'] }>(
    'SELECT id, state FROM nft_sales WHERE id = ANY ($1)',
    [sales.map(({ id }) => id)],
  );
  const transactions = await sql<{ line: string }>(
    `SELECT concat_ws(' ', type, token_id, coalesce(from_address, 'null'), coalesce(to_address, 'null'), tx_hash) AS line
     FROM transactions WHERE chain_id = $1 ORDER BY block_number, log_index`,
    [chainId],
  );
  const keys = await sql<{ token: string }>(
    `SELECT token_id AS token FROM api_keys
     WHERE token_id BETWEEN $1 AND $1 + 999 AND revoked_at IS NULL AND key_name = 'simulated' ORDER BY token_id`,
    [firstToken],
  );
  const nonces = await sql<{ token: string; nonce: string }>(
    `SELECT token_id AS token, nonce FROM digital_keys WHERE token_id BETWEEN $1 AND $1 + 999 AND nonce > 0`,
    [firstToken],
  );
  // What has no place on the chain was signed here and is nobody's loss.
  const strays = await sql(
    `SELECT id FROM transactions WHERE token_id BETWEEN $1 AND $1 + 999 AND chain_id IS NULL AND origin = 'CHAIN'`,
    [firstToken],
  );
  expect(strays).toEqual([]);
  return {
    owners: Object.fromEntries(owners.map(({ token, owner }) => [token, owner])),
    sales: Object.fromEntries(
      sales.map(({ id }) => [id, states.find((row) => row.id === id)?.state ?? 'DRAFT']),
    ),
    transactions: transactions.map(({ line }) => line),
    liveKeys: keys.map(({ token }) => Number(token)),
    nonces: Object.fromEntries(nonces.map(({ token, nonce }) => [token, Number(nonce)])),
  };
}

/** Simulations that run beside each other, each on connections of its own. */
const lanes = 4;

describe('the chain reader', () => {
  it(`says what the chain says after reorganisations, faults of the node and crashes, with every job beside it (${seedCount} seeds from ${firstSeed})`, {
    timeout: 120_000 + 10_000 * seedCount,
  }, async () => {
    const seeds = [...notableSeeds, ...Array.from({ length: seedCount }, (_, index) => firstSeed + index)];
    const runLane = async () => {
      const database = new DyingDatabase({ url: test.loginUrl, poolSize: 2 });
      const jobDatabase = new Database({ url: test.loginUrl, poolSize: 4 });
      try {
        for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
          await simulate(seed, database, jobDatabase).catch((error) => {
            throw new Error(`CHAIN_TEST_SEED=${seed} CHAIN_TEST_SEEDS=1`, { cause: error });
          });
        }
      } finally {
        await database.close();
        await jobDatabase.close();
      }
    };
    await Promise.all(Array.from({ length: lanes }, runLane));
  });
});

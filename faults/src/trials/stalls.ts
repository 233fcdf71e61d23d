import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Keyfront } from '@keyfront/sdk';
import pg from 'pg';
import { privateKeyToAccount } from 'viem/accounts';
import { type AddedHolder, addHolders } from '../load/add-holders.ts';
import { makeUpSignature, signSimply } from '../load/holders.ts';
import { KeyedRequests } from '../load/keyed-requests.ts';
import { runSql } from '../load/run-sql.ts';
import { createTrialStore, type TrialStore } from '../load/trial-store.ts';
import { type FaultProxy, startFaultProxy } from '../processes/fault-proxy.ts';
import type { Instance } from '../processes/instance.ts';
import { killTree } from '../processes/spawn-service.ts';
import { type Trial, waitFor } from './trial.ts';
import { withInstances } from './trial-instances.ts';

/** Longer than a request may wait for its turn. */
const stallMs = 5_500;
const strangerCount = 40;
/** More than an instance handles at a time. */
const holderCount = 100;
const burstCount = 30;
/** Afterwards, everything must work again within this time. */
const recoveryMs = 20_000;
const knownRequests = 20;

interface Stall {
  readonly what: string;
  readonly begin: (ownerUrl: string, proxy: FaultProxy) => Promise<() => Promise<void> | void>;
}

const stalls: readonly Stall[] = [
  { what: 'the table of orders is locked', begin: (ownerUrl) => lock(ownerUrl, 'keyfront.orders') },
  {
    what: 'the tables of credentials are locked',
    begin: (ownerUrl) => lock(ownerUrl, 'keyfront.api_keys, keyfront.sessions, keyfront.holders'),
  },
  {
    what: 'the network forwards nothing',
    begin: async (_ownerUrl, proxy) => {
      proxy.fail('forwards nothing');
      return proxy.heal;
    },
  },
];

/**
 * The database stalls for longer than requests may wait, while many holders order, and strangers send credentials that nobody
 * knows. All of them send a request that was refused again at once. After the stall there is a burst of orders. Known credentials must be accepted again, and no order may get a 500.
 */
export const stalledDatabase: Trial = {
  name: 'stalls',
  run: async (context) => {
    const { progress } = context;
    const proxies: FaultProxy[] = [];
    const settings = async (loginUrl: string) => {
      const proxy = await startFaultProxy(loginUrl);
      proxies.push(proxy);
      return [{ DATABASE_URL: proxy.url }];
    };
    try {
      return await withInstances(context, { settings }, async ({ database, first, demo }) => {
        const [proxy] = proxies as [FaultProxy];
        const [holder] = demo.holders;
        const wallet = privateKeyToAccount(holder.walletPrivateKey);
        const session = await new Keyfront({ baseUrl: first.baseUrl }).signIn(wallet);
        const known = [signSimply(holder), (await session.sign('GET', '/planets')).headers];
        const store = await createTrialStore(database.ownerUrl, holder.primaryTokenId, 1);
        const holders = await addHolders(database.ownerUrl, store, holderCount);
        const buyers = holders.map((each) => new Buyer(first, each, store));
        await orderAll(buyers);
        const problems: string[] = [];
        for (const { what, begin } of stalls) {
          progress(`Stalling for ${stallMs / 1_000} s: ${what}`);
          const resume = await begin(database.ownerUrl, proxy);
          const endAt = performance.now() + stallMs;
          const waiting = [orderAll(buyers), callAsStrangers(first, endAt)];
          await delay(stallMs);
          await resume();
          progress('The stall is over');
          const outcomes = await Promise.all([...waiting, orderAll(buyers.slice(0, burstCount))]);
          const refused = await findRefused(first, known);
          const found = [...outcomes.flat(), ...refused];
          problems.push(...found.map((problem) => `${problem} after: ${what}`));
          if (found.length === 0) continue;
          // The next stall finds a service that works.
          await killTree(first.current());
          await first.restart();
        }
        for (const buyer of buyers) problems.push(...(await buyer.findWrong(database.ownerUrl)));
        return { problems, summary: stalls.map(({ what }) => what).join(', ') };
      });
    } finally {
      for (const proxy of proxies) await proxy.close();
    }
  },
};

async function lock(ownerUrl: string, tables: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
  return () => client.end();
}

/** Orders for a client of a holder, and repeats each order with its `Idempotency-Key` until it is placed, without a pause. */
class Buyer {
  readonly #keyed = new KeyedRequests();
  readonly #instance: Instance;
  readonly #holder: AddedHolder;
  readonly #body: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #failures: string[] = [];

  constructor(instance: Instance, holder: AddedHolder, { strains }: TrialStore) {
    this.#instance = instance;
    this.#holder = holder;
    const items = [{ strainId: strains[0]?.id, quantity: 1 }];
    this.#body = JSON.stringify({ clientId: holder.clientId, items });
    this.#headers = { 'content-type': 'application/json', ...signSimply(holder, this.#body) };
  }

  /** Places an order. Throws if that takes too long. */
  async order(): Promise<void> {
    const signal = AbortSignal.timeout(stallMs + recoveryMs);
    const headers = { ...this.#headers, 'idempotency-key': randomUUID() };
    const request = { method: 'POST', headers, body: this.#body, signal };
    for (;;) {
      const response = await this.#keyed.fetch(`${this.#instance.baseUrl}/dapp/orders`, request);
      const text = await response.text();
      if (response.ok) return;
      if (response.status === 500) this.#failures.push(`An order got a 500: ${text}`);
      await delay(1, undefined, { signal });
    }
  }

  /** Repeats all orders and counts them. Returns a sentence for each difference. */
  async findWrong(ownerUrl: string): Promise<string[]> {
    const problems = await this.#keyed.repeatAll(this.#instance.origin, this.#holder);
    const [row] = await runSql<{ count: number }>(
      ownerUrl,
      'SELECT count(*)::int FROM keyfront.orders WHERE client_id = $1',
      [this.#holder.clientId],
    );
    const { count } = this.#keyed;
    if (row?.count !== count) problems.push(`${row?.count} orders exist, and ${count} were acknowledged`);
    return [...this.#failures, ...problems];
  }
}

async function orderAll(buyers: readonly Buyer[]): Promise<string[]> {
  const orders = await Promise.allSettled(buyers.map((buyer) => buyer.order()));
  const failed = orders.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  const [first] = failed;
  return first ? [`${failed.length} of ${orders.length} orders failed (${first.reason})`] : [];
}

/** Calls with credentials that nobody knows until this moment, each again as soon as there is a response. */
async function callAsStrangers({ baseUrl }: Instance, endAt: number): Promise<string[]> {
  const failures: unknown[] = [];
  const call = async (headers: Readonly<Record<string, string>>) => {
    do {
      await fetch(`${baseUrl}/planets`, { headers, signal: AbortSignal.timeout(recoveryMs) })
        .then((response) => response.arrayBuffer())
        .catch((error) => failures.push(error.cause ?? error));
      await delay(5);
    } while (performance.now() < endAt);
  };
  await Promise.all(
    Array.from({ length: strangerCount }, async (_, number) =>
      // The simple form with a valid signature, and the bound form with any.
      call(number % 2 === 0 ? await makeUpSignature() : makeUpBoundSignature()),
    ),
  );
  return failures.length > 0 ? [`${failures.length} requests got no response (${failures[0]})`] : [];
}

function makeUpBoundSignature(): Record<string, string> {
  const created = Math.floor(Date.now() / 1_000);
  const keyid = randomBytes(32).toString('hex');
  return {
    'signature-input': `sig1=("@method" "@target-uri");created=${created};keyid="${keyid}"`,
    signature: `sig1=:${randomBytes(64).toString('base64')}:`,
  };
}

/** Waits until every known credential is accepted again and again. Returns a sentence for each that is not. */
async function findRefused(
  { origin, baseUrl }: Instance,
  known: readonly Readonly<Record<string, string>>[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const headers of known) {
    const what = 'authorization' in headers ? 'token' : 'key';
    let status = 0;
    let accepted = 0;
    const isAccepted = await waitFor(async () => {
      const signal = AbortSignal.timeout(recoveryMs);
      status = await fetch(`${baseUrl}/planets`, { headers, signal }).then(statusOf, () => 0);
      accepted = status === 200 ? accepted + 1 : 0;
      return accepted >= knownRequests;
    }, recoveryMs);
    if (isAccepted) continue;
    const ready = await fetch(`${origin}/health/ready`).then(statusOf, () => 0);
    problems.push(
      `A known ${what} still gets ${status} after ${recoveryMs / 1_000} s (/health/ready: ${ready})`,
    );
  }
  return problems;
}

const statusOf = ({ status }: Response) => status;

import { createHash, randomInt } from 'node:crypto';
import { type Child, startChild } from './processes/child.ts';
import type { DriverLimitJob, DriverLimitResult } from './processes/driver-limit.ts';
import type { FastifyLimitJob, FastifyLimitResult } from './processes/fastify-limit.ts';
import type { LoadJob, LoadRequest, LoadResult } from './processes/load.ts';
import { type Service, settingsFor, startService } from './processes/service.ts';
import type { Sizes } from './sizes.ts';
import { addSigner, openStore, type Store } from './store/open-store.ts';
import { tokens } from './store/seed.ts';
import type { Signer } from './store/signer.ts';

/** A list of requests that is registered with the load generator. */
export type RequestList = Pick<LoadJob['requests'], 'name'>;

/** The store, the service, the load generator and the limits that every scenario uses. */
export interface Bench {
  readonly sizes: Sizes;
  readonly store: Store;
  readonly service: Service;
  readonly signers: Readonly<Record<keyof typeof tokens, Signer>>;
  readonly driver: Child<DriverLimitJob, DriverLimitResult>;
  readonly progress: (message: string) => void;
  /** Registers what must be ended with the bench, also when it is interrupted. The last one is ended first. */
  readonly endLater: (end: () => Promise<void>) => void;
  /** Headers of signed requests of the large holder, more than the signature cache of the service holds. */
  readonly unseenSignatures: () => readonly Record<string, string>[];
  /** Starts a Fastify server that sends a constant body and verifies signatures of requests without query and body. */
  startLimitServer(signer: Signer, body: string): Promise<string>;
  /** Registers requests, so that they are sent to the load generator once and not with every run. */
  registerRequests(list: readonly LoadRequest[]): RequestList;
  /** Sends the requests and returns the rate. Throws unless every response is a 2xx. */
  measureRate(base: string, requests: RequestList, bounds?: LoadBounds): Promise<number>;
  /** Sends the requests and accepts any response status. */
  load(base: string, requests: RequestList, bounds?: LoadBounds): Promise<LoadResult>;
}

export interface LoadBounds {
  readonly connections?: number;
  readonly until?: LoadJob['until'];
}

/** More than the signature cache holds: each signature has been evicted before it is sent again. */
const unseenSignatureCount = 22_000;

/** Enough to keep one process busy, and more than its pool has database connections. */
export const usualConnections = 32;
/** The default size of the service's database pool. */
export const poolSize = 10;

/** Starts all processes, runs the work, and stops the processes. */
export async function withBench(
  options: { readonly data: string | null; readonly profile: string | null },
  sizes: Sizes,
  progress: (message: string) => void,
  work: (bench: Bench) => Promise<void>,
): Promise<void> {
  const closers: (() => Promise<void>)[] = [];
  const stopped = stopSignal();
  try {
    const store = await openStore(options, sizes, (message) => progress(`Seeding: ${message}`));
    closers.push(store.close);
    const signers = {
      large: await addSigner(store.client, tokens.large),
      thousand: await addSigner(store.client, tokens.thousand),
      hundred: await addSigner(store.client, tokens.hundred),
      tenth: await addSigner(store.client, tokens.tenth),
    };
    const service = await startService(settingsFor(store), options.profile);
    closers.push(service.end);
    const loader = startChild<LoadJob, LoadResult>('load-process.js');
    closers.push(loader.end);
    const driver = startChild<DriverLimitJob, DriverLimitResult>('driver-limit-process.js');
    closers.push(driver.end);
    const fastify = startChild<FastifyLimitJob, FastifyLimitResult>('fastify-limit-process.js');
    closers.push(fastify.end);
    progress('Waiting until the counters are compacted');
    await waitUntilCompacted(store);

    const unsent = new Map<string, readonly LoadRequest[]>();
    const load: Bench['load'] = (base, { name }, { connections = usualConnections, until } = {}) => {
      const list = unsent.get(name) ?? null;
      unsent.delete(name);
      return loader.run({
        base,
        connections,
        requests: { name, list },
        until: until ?? { seconds: sizes.runSeconds },
      });
    };
    let registeredCount = 0;
    const working = work({
      sizes,
      store,
      service,
      signers,
      driver,
      progress,
      endLater: (end) => closers.push(end),
      unseenSignatures: once(() =>
        Array.from({ length: unseenSignatureCount }, () => signHeaders(signers.large, emptyPayload)),
      ),
      startLimitServer: async (signer, body) => {
        const digest = sha256(emptyPayload);
        const job = { body, point: signer.point, digest, databaseUrl: store.ownerUrl, poolSize };
        return (await fastify.run(job)).origin;
      },
      registerRequests: (list) => {
        const name = `list ${registeredCount++}`;
        unsent.set(name, list);
        return { name };
      },
      load,
      measureRate: async (base, requests, bounds) => {
        const result = await load(base, requests, bounds);
        checkSuccess(result);
        return result.rate;
      },
    });
    await Promise.race([working, stopped]);
  } finally {
    for (const close of closers.reverse()) await close().catch(() => undefined);
  }
}

/** Rejects on SIGINT or SIGTERM, so that `finally` stops the processes of the bench. */
function stopSignal(): Promise<never> {
  const stopped = new Promise<never>((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => reject(new Error('Stopped')));
  });
  // A signal during the start is not lost: the race with the scenarios rejects as soon as it begins.
  stopped.catch(() => undefined);
  return stopped;
}

/** A job of the service compacts the counter changes of the seed. A store that grows order by order has no such backlog. */
async function waitUntilCompacted({ client }: Store): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`SELECT (SELECT count(*) FROM keyfront.order_counter_changes)::int
       + (SELECT count(*) FROM keyfront.counter_changes)::int AS count`);
    if (rows[0].count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Calls `make` on the first use and returns the same value afterwards. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Throws unless every response of a run is a 2xx. */
export function checkSuccess(result: LoadResult): void {
  const others = Object.keys(result.statuses).filter((status) => !status.startsWith('2'));
  if (others.length > 0 || result.failures > 0) {
    throw new Error(`Expected only 2xx responses: ${JSON.stringify(result)}`);
  }
}

/** The signed payload of a request without query and body. */
export const emptyPayload = '{}';

/** Returns the headers of a signed request. */
export function signHeaders(signer: Signer, payload: string): Record<string, string> {
  return { 'x-auth-apikey': signer.apiKey, 'x-auth-signature': signer.sign(sha256(payload)) };
}

/** Returns the headers of a request without a body whose signature is bound to it. */
export function boundHeaders(signer: Signer, method: string, url: string): Record<string, string> {
  const keyid = createHash('sha256').update(signer.publicKey).digest('hex');
  const created = Math.floor(Date.now() / 1000);
  const params = `("@method" "@target-uri");created=${created};keyid="${keyid}"`;
  const base = `"@method": ${method}\n"@target-uri": ${url}\n"@signature-params": ${params}`;
  return {
    'signature-input': `sig1=${params}`,
    signature: `sig1=:${signer.signCompact(sha256(base))}:`,
  };
}

/** Returns a signed GET request. */
export function signedGet(signer: Signer, path: string): LoadRequest {
  const [, query] = path.split('?');
  return { path, headers: signHeaders(signer, query ?? emptyPayload) };
}

/** Returns the response body. Throws unless the response is a 2xx. */
export async function fetchBody(base: string, { path, headers }: LoadRequest): Promise<string> {
  const response = await fetch(base + path, headers ? { headers } : {});
  const body = await response.text();
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${body}`);
  return body;
}

/** Returns random integers from 0 up to, but not including, `below`. Duplicates are possible. */
export function randomNumbers(count: number, below: number): number[] {
  return Array.from({ length: count }, () => randomInt(below));
}

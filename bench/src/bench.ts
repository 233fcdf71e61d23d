import { createHash, randomInt } from 'node:crypto';
import type { Options } from './options.ts';
import { type Child, startChild } from './processes/child.ts';
import type { DriverAnswer, DriverQuestion } from './processes/driver-limit.ts';
import type { FastifyLimitAnswer, FastifyLimitQuestion } from './processes/fastify-limit.ts';
import type { LoadJob, LoadRequest, LoadResult } from './processes/load.ts';
import { type Service, settingsFor, startService } from './processes/service.ts';
import type { Sizes } from './sizes.ts';
import { addSigner, openStore, type Store } from './store/open-store.ts';
import { tokens } from './store/seed.ts';
import type { Signer } from './store/signer.ts';

/** Requests that were handed over to the load generator. */
export type RequestList = Pick<LoadJob['requests'], 'name'>;

/** Everything that a scenario measures with. */
export interface Bench {
  readonly sizes: Sizes;
  readonly store: Store;
  readonly service: Service;
  readonly signers: Readonly<Record<keyof typeof tokens, Signer>>;
  readonly driver: Child<DriverQuestion, DriverAnswer>;
  readonly progress: (sentence: string) => void;
  /** Headers of more requests of the large holder than the service remembers, each with a signature of its own. */
  readonly neverSeen: () => readonly Record<string, string>[];
  /** A fastify with this constant answer, which verifies signatures of requests without query and body. */
  limitServer(signer: Signer, body: string): Promise<string>;
  /** Hands requests over to the load generator. */
  handOver(list: readonly LoadRequest[]): RequestList;
  /** Lets the load generator send them. Every answer must be a good one. */
  rateOf(base: string, requests: RequestList, bounds?: LoadBounds): Promise<number>;
  /** The same, whatever the answers are. */
  load(base: string, requests: RequestList, bounds?: LoadBounds): Promise<LoadResult>;
}

export interface LoadBounds {
  readonly connections?: number;
  readonly until?: LoadJob['until'];
}

/** More than the service remembers: when a signature comes again, it has been forgotten. */
const neverSeenCount = 22_000;

/** As many as keep one process busy, and more than it has connections to the database. */
export const usualConnections = 32;
/** Connections of the service to the database, as it is by default. */
export const poolSize = 10;

/** Opens everything, runs the work, and closes everything. */
export async function withBench(
  options: Options,
  sizes: Sizes,
  progress: (sentence: string) => void,
  work: (bench: Bench) => Promise<void>,
): Promise<void> {
  const closers: (() => Promise<void>)[] = [];
  const stopped = stopSignal();
  try {
    const store = await openStore(options, sizes, (sentence) => progress(`Seeding: ${sentence}`));
    closers.push(store.close);
    const signers = {
      large: await addSigner(store.client, tokens.large),
      thousand: await addSigner(store.client, tokens.thousand),
      hundred: await addSigner(store.client, tokens.hundred),
    };
    const service = await startService(settingsFor(store), options.profile);
    closers.push(service.end);
    const loader = startChild<LoadJob, LoadResult>('load-process.js');
    closers.push(loader.end);
    const driver = startChild<DriverQuestion, DriverAnswer>('driver-limit-process.js');
    closers.push(driver.end);
    const fastify = startChild<FastifyLimitQuestion, FastifyLimitAnswer>('fastify-limit-process.js');
    closers.push(fastify.end);
    progress('Waiting until the orders are counted');
    await untilFolded(store);

    const waiting = new Map<string, readonly LoadRequest[]>();
    const load: Bench['load'] = (base, { name }, { connections = usualConnections, until } = {}) => {
      const list = waiting.get(name) ?? null;
      waiting.delete(name);
      return loader.ask({
        base,
        connections,
        requests: { name, list },
        until: until ?? { seconds: sizes.runSeconds },
      });
    };
    let handedOver = 0;
    const working = work({
      sizes,
      store,
      service,
      signers,
      driver,
      progress,
      neverSeen: once(() =>
        Array.from({ length: neverSeenCount }, () => signed(signers.large, emptyPayload)),
      ),
      limitServer: async (signer, body) => {
        const digest = sha256(emptyPayload);
        const question = { body, point: signer.point, digest, databaseUrl: store.ownerUrl, poolSize };
        return (await fastify.ask(question)).origin;
      },
      handOver: (list) => {
        const name = `list ${handedOver++}`;
        waiting.set(name, list);
        return { name };
      },
      load,
      rateOf: async (base, requests, bounds) => {
        const result = await load(base, requests, bounds);
        const others = Object.keys(result.statuses).filter((status) => !status.startsWith('2'));
        if (others.length > 0 || result.failures > 0) {
          throw new Error(`Not every answer was a good one: ${JSON.stringify(result)}`);
        }
        return result.rate;
      },
    });
    await Promise.race([working, stopped]);
  } finally {
    for (const close of closers.reverse()) await close().catch(() => undefined);
  }
}

/** Fails when somebody stops the bench, so that what it has opened is closed. */
function stopSignal(): Promise<never> {
  const stopped = new Promise<never>((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => reject(new Error('Stopped')));
  });
  // Heard where the scenarios are waited for; before that, what is being opened is opened first.
  stopped.catch(() => undefined);
  return stopped;
}

/** What is seeded at once is counted by a job of the service; in a store that grew order by order it was long before. */
async function untilFolded({ client }: Store): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`SELECT (SELECT count(*) FROM keyfront.order_tally_changes)::int
       + (SELECT count(*) FROM keyfront.tally_changes)::int AS count`);
    if (rows[0].count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Makes something when it is first asked for. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What a request without query and body is signed over. */
export const emptyPayload = '{}';

/** The headers of a signed request. */
export function signed(signer: Signer, payload: string): Record<string, string> {
  return { 'x-auth-apikey': signer.apiKey, 'x-auth-signature': signer.sign(sha256(payload)) };
}

/** A GET with its query, signed. */
export function signedGet(signer: Signer, path: string): LoadRequest {
  const [, query] = path.split('?');
  return { path, headers: signed(signer, query ?? emptyPayload) };
}

/** The body of a good answer. */
export async function fetchBody(base: string, { path, headers }: LoadRequest): Promise<string> {
  const answer = await fetch(base + path, headers ? { headers } : {});
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${body}`);
  return body;
}

/** Numbers below a bound, in no order, some of them more than once. */
export function randomNumbers(count: number, below: number): number[] {
  return Array.from({ length: count }, () => randomInt(below));
}

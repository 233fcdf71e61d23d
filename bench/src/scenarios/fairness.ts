import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, randomNumbers, signedGet } from '../bench.ts';
import { percentile } from '../measure/percentile.ts';
import { type Child, startChild } from '../processes/child.ts';
import type { LoadJob, LoadRequest, LoadResult } from '../processes/load.ts';
import type { Row } from '../report/row.ts';
import { idOf } from '../store/ids.ts';
import { invoiceNumberOf } from '../store/invoice-numbers.ts';
import { tokens } from '../store/seed.ts';
import { noFilters } from './export-pages.ts';
import type { Scenario } from './scenario.ts';

/** Enough to occupy both streaming connections and to fill the queue, if wallets had no shares. */
const exportCount = 2 + 90;
const searchCount = 120;
/** 50 requests per second, which is the rate limit of a credential. */
const requestIntervalMs = 20;
const rounds = 2;
/** The time until the load of the other holder has built up. */
const buildUpMs = 1_500;
const maxTimes = 2;

/** The latency of one holder while another one has as many exports and searches as it can open, and retries at once. */
export const fairness: Scenario = {
  name: 'fairness',
  measure: async (bench) => {
    const { sizes } = bench;
    const samples = Math.max(150, Math.ceil((sizes.runSeconds * 1000) / requestIntervalMs));
    const loader = startChild<LoadJob, LoadResult>('load-process.js');
    const alone: number[] = [];
    const beside: number[] = [];
    try {
      await measureLatencies(bench, samples);
      for (let round = 0; round < rounds; round++) {
        alone.push(...(await measureLatencies(bench, samples)));
        beside.push(...(await measureBeside(bench, loader, samples, round === 0)));
      }
    } finally {
      await loader.end();
    }
    bench.progress(`  alone: ${describeLatencies(alone)}; beside the other: ${describeLatencies(beside)}`);
    const limit = percentile(alone, 0.99);
    const value = percentile(beside, 0.99);
    const row: Row = {
      id: 'fairness',
      what: `p99 of a holder while another has ${exportCount} exports and ${searchCount} searches`,
      figure: { value, unit: 'ms' },
      limit: { what: 'its p99 alone', value: limit, unit: 'ms' },
      judged: { kind: 'times', value: value / limit, atMost: maxTimes },
    };
    return [row];
  },
};

export function describeLatencies(latencies: readonly number[]): string {
  const shares = [0.5, 0.9, 0.99].map(
    (share) => `p${share * 100} ${percentile(latencies, share).toFixed(1)}`,
  );
  return `${shares.join(', ')} ms`;
}

async function measureBeside(
  bench: Bench,
  loader: Child<LoadJob, LoadResult>,
  samples: number,
  isFirst: boolean,
): Promise<number[]> {
  const exports = holdExports(bench);
  try {
    const seconds = (buildUpMs + samples * requestIntervalMs * 2) / 1000;
    const searching = loader.run(searchJob(bench, seconds, isFirst));
    await delay(buildUpMs);
    const latencies = await measureLatencies(bench, samples);
    bench.progress(`  exports: ${JSON.stringify(exports.statuses)}`);
    bench.progress(`  searches: ${JSON.stringify((await searching).statuses)}`);
    return latencies;
  } finally {
    exports.stop();
  }
}

/** Sends one request after the other at a steady pace. Returns how long each took, in milliseconds. */
export async function measureLatencies(
  { service, signers }: Pick<Bench, 'service' | 'signers'>,
  samples: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const paths = [
    '/dapp/orders',
    `/dapp/orders/${idOf('order', tokens.hundred, 50)}`,
    '/dapp/clients',
    '/dapp/orders/summary',
  ];
  const requests = paths.map((path) => signedGet(signers.hundred, path));
  const pending: Promise<number>[] = [];
  const begin = performance.now();
  try {
    for (let sample = 0; sample < samples; sample++) {
      await delay(begin + sample * requestIntervalMs - performance.now());
      const next = requests[sample % requests.length];
      // Not awaited: a slow response does not delay the next request, as with independent clients.
      if (next) pending.push(timeRequest(agent, service.baseUrl, next));
    }
    return await Promise.all(pending);
  } finally {
    agent.destroy();
  }
}

function timeRequest(agent: Agent, base: string, { path, headers }: LoadRequest): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    request(base + path, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} responded with ${response.statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - begin));
    })
      .on('error', reject)
      .end();
  });
}

/** Requests exports and reads none of them. A refused one is requested again at once. */
function holdExports({ service, signers }: Bench): {
  readonly statuses: Readonly<Record<string, number>>;
  stop(): void;
} {
  const agent = new Agent({ keepAlive: true });
  const { path, headers } = signedGet(signers.large, `/orders/export?${noFilters}`);
  const statuses: Record<string, number> = {};
  let isStopped = false;
  const open = (): void => {
    if (isStopped) return;
    const onResponse = (response: IncomingMessage) => {
      const status = String(response.statusCode);
      statuses[status] = (statuses[status] ?? 0) + 1;
      // The response to an admitted export is never read. When the service closes it, the next one follows.
      if (response.statusCode === 200) response.pause().on('error', () => undefined);
      else response.resume();
      response.on('close', open);
    };
    request(service.baseUrl + path, { agent, headers: { ...headers, accept: 'text/csv' } }, onResponse)
      .on('error', () => setImmediate(open))
      .end();
  };
  for (let index = 0; index < exportCount; index++) open();
  return {
    statuses,
    stop: () => {
      isStopped = true;
      agent.destroy();
    },
  };
}

/** Searches of the large holder: some that few orders match, and some that all of them match. */
function searchJob({ service, signers, sizes }: Bench, seconds: number, isFirst: boolean): LoadJob {
  const search = (text: string) => signedGet(signers.large, `/dapp/orders?search=${text}`);
  const createList = () => [
    ...randomNumbers(searchCount, sizes.orders).map((n) => search(invoiceNumberOf(tokens.large, n))),
    ...randomNumbers(searchCount, sizes.clients).map((n) => search(`ada${n}%40`)),
    ...Array.from({ length: searchCount }, () => search('Customer')),
  ];
  return {
    base: service.baseUrl,
    connections: searchCount,
    requests: { name: 'searches', list: isFirst ? shuffle(createList()) : null },
    until: { seconds },
  };
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

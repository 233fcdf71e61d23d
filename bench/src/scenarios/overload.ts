import {
  type Bench,
  emptyPayload,
  fetchBody,
  type RequestList,
  randomNumbers,
  signHeaders,
  usualConnections,
} from '../bench.ts';
import type { LoadRequest, LoadResult } from '../processes/load.ts';
import { amountRow, type Row, shareOf } from '../report/row.ts';
import { idOf } from '../store/ids.ts';
import { tokens } from '../store/seed.ts';
import type { Scenario } from './scenario.ts';

/** Enough for two requests per connection at the highest load. */
const requestCount = 6_400;
/** Runs until V8 has optimized the code of a read, even if this is the first scenario. */
const warmUps = 3;
const minShare = 0.8;
/** The queue timeout of the service. */
const maxSecondsToRefusal = 5;
/** Allows for the cleanup of requests whose clients have disconnected. */
const maxSecondsToServed = 2;
const maxMemoryMb = 300;

/** Many more clients than keep the service busy. They send the next request at once and ignore Retry-After. */
export const overload: Scenario = {
  name: 'overload',
  measure: async (bench) => {
    const { service, signers, sizes } = bench;
    const list = randomNumbers(requestCount, sizes.orders).map((n) => ({
      path: `/dapp/orders/${idOf('order', tokens.large, n)}`,
      headers: signHeaders(signers.large, emptyPayload),
    }));
    const requests = bench.registerRequests(list);
    const calm = () => bench.measureRate(service.baseUrl, requests);
    for (let round = 0; round < warmUps; round++) await calm();
    const best = Math.max(await calm(), await calm(), await calm());
    const tenfold = await runCrowd(bench, requests, 10);
    const after = await calm();
    const hundredfold = await runCrowd(bench, requests, 100);
    const secondsUntilServed = await secondsFor(() => fetchBody(service.baseUrl, getFirst(list)));
    const limit = { what: `its best, with ${usualConnections} callers`, value: best, unit: 'req/s' };
    const rateRow = (id: string, what: string, rate: number): Row => ({
      id,
      what,
      figure: { value: rate, unit: 'req/s' },
      limit,
      judged: shareOf(rate, best, minShare),
    });
    const rows: Row[] = [
      rateRow('overload', 'GET /dapp/orders/{orderId}, 10 times the callers', tenfold.rate),
      rateRow('overload recovery', 'right after that, as many callers as before', after),
      amountRow(
        'overload refusals',
        `100 times the callers: ${(hundredfold.statuses['429'] ?? 0) + (hundredfold.statuses['503'] ?? 0)} refused, 95 % of them within`,
        hundredfold.refusedWithinMs / 1000,
        maxSecondsToRefusal,
        's',
      ),
      amountRow(
        'overload aftermath',
        'right after that, the first answer to a new caller',
        secondsUntilServed,
        maxSecondsToServed,
        's',
      ),
    ];
    const memory = service.peakMemoryMb();
    if (memory === null) return rows;
    return [...rows, amountRow('overload memory', 'the most memory until then', memory, maxMemoryMb, 'MB')];
  },
};

async function secondsFor(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function getFirst(list: readonly LoadRequest[]): LoadRequest {
  const [first] = list;
  if (!first) throw new Error('The list of requests is empty');
  return first;
}

async function runCrowd(
  { service, load, sizes }: Bench,
  requests: RequestList,
  times: number,
): Promise<LoadResult> {
  const result = await load(service.baseUrl, requests, {
    connections: times * usualConnections,
    // Long enough for every client to be served or refused several times.
    until: { seconds: Math.max(4, sizes.runSeconds) },
  });
  const unexpected = Object.keys(result.statuses).filter((status) => !['200', '429', '503'].includes(status));
  if (unexpected.length > 0 || result.failures > 0) {
    throw new Error(`Expected only 200, 429 and 503 under overload: ${JSON.stringify(result)}`);
  }
  return result;
}

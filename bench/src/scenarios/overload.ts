import {
  type Bench,
  emptyPayload,
  fetchBody,
  type RequestList,
  randomNumbers,
  signed,
  usualConnections,
} from '../bench.ts';
import type { LoadRequest, LoadResult } from '../processes/load.ts';
import { amountRow, type Row, shareOf } from '../report/row.ts';
import { idOf } from '../store/ids.ts';
import { tokens } from '../store/seed.ts';
import type { Scenario } from './scenario.ts';

/** Enough for each connection of the largest crowd to have some of its own. */
const requestCount = 6_400;
/** Rounds until the code of a read is compiled, also where nothing was asked before. */
const warmUps = 3;
const leastShare = 0.8;
/** As long as a request waits for its turn before it is refused. */
const mostSecondsForRefusal = 5;
/** Until those who have left are cleared away. */
const mostSecondsUntilServed = 2;
const mostMemoryMb = 300;

/** Many more callers than keep the service busy, who all come back at once, whatever they are told. */
export const overload: Scenario = {
  name: 'overload',
  measure: async (bench) => {
    const { service, signers, sizes } = bench;
    const list = randomNumbers(requestCount, sizes.orders).map((n) => ({
      path: `/dapp/orders/${idOf('order', tokens.large, n)}`,
      headers: signed(signers.large, emptyPayload),
    }));
    const requests = bench.handOver(list);
    const calm = () => bench.rateOf(service.baseUrl, requests);
    for (let round = 0; round < warmUps; round++) await calm();
    const best = Math.max(await calm(), await calm(), await calm());
    const tenfold = await crowd(bench, requests, 10);
    const after = await calm();
    const hundredfold = await crowd(bench, requests, 100);
    const secondsUntilServed = await secondsFor(() => fetchBody(service.baseUrl, firstOf(list)));
    const limit = { what: `its best, with ${usualConnections} callers`, value: best, unit: 'req/s' };
    const rateRow = (id: string, what: string, rate: number): Row => ({
      id,
      what,
      figure: { value: rate, unit: 'req/s' },
      limit,
      judged: shareOf(rate, best, leastShare),
    });
    const rows: Row[] = [
      rateRow('overload', 'GET /dapp/orders/{orderId}, 10 times the callers', tenfold.rate),
      rateRow('overload recovery', 'right after that, as many callers as before', after),
      amountRow(
        'overload refusals',
        `100 times the callers: ${hundredfold.statuses['503'] ?? 0} refused, 95 % of them within`,
        hundredfold.refusedWithinMs / 1000,
        mostSecondsForRefusal,
        's',
      ),
      amountRow(
        'overload aftermath',
        'right after that, the first answer to a new caller',
        secondsUntilServed,
        mostSecondsUntilServed,
        's',
      ),
    ];
    const memory = service.peakMemoryMb();
    if (memory === null) return rows;
    return [...rows, amountRow('overload memory', 'the most memory until then', memory, mostMemoryMb, 'MB')];
  },
};

async function secondsFor(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function firstOf(list: readonly LoadRequest[]): LoadRequest {
  const [first] = list;
  if (!first) throw new Error('There is nothing to ask for');
  return first;
}

async function crowd(
  { service, load, sizes }: Bench,
  requests: RequestList,
  times: number,
): Promise<LoadResult> {
  const result = await load(service.baseUrl, requests, {
    connections: times * usualConnections,
    // Long enough for each of them to have been served or refused several times.
    until: { seconds: Math.max(4, sizes.runSeconds) },
  });
  const unforeseen = Object.keys(result.statuses).filter((status) => status !== '200' && status !== '503');
  if (unforeseen.length > 0 || result.failures > 0) {
    throw new Error(`The crowd was answered with something else: ${JSON.stringify(result)}`);
  }
  return result;
}

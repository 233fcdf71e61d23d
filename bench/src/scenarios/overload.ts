import {
  type Bench,
  emptyPayload,
  type RequestList,
  randomNumbers,
  signed,
  usualConnections,
} from '../bench.ts';
import type { LoadResult } from '../processes/load.ts';
import { type Row, shareOf } from '../report/row.ts';
import { idOf } from '../store/ids.ts';
import { tokens } from '../store/seed.ts';
import type { Scenario } from './scenario.ts';

/** Enough for each connection of the largest crowd to have some of its own. */
const requestCount = 6_400;
const leastShare = 0.8;
/** A second until a refusal is told, and some for what comes before it. */
const mostSecondsForRefusal = 2;
const mostMemoryMb = 300;

/** Many more callers than keep the service busy, who all come back at once, whatever they are told. */
export const overload: Scenario = {
  name: 'overload',
  measure: async (bench) => {
    const { service, signers, sizes } = bench;
    const requests = bench.handOver(
      randomNumbers(requestCount, sizes.orders).map((n) => ({
        path: `/dapp/orders/${idOf('order', tokens.large, n)}`,
        headers: signed(signers.large, emptyPayload),
      })),
    );
    const calm = () => bench.rateOf(service.baseUrl, requests);
    await calm();
    const best = Math.max(await calm(), await calm(), await calm());
    const tenfold = await crowd(bench, requests, 10);
    const hundredfold = await crowd(bench, requests, 100);
    const after = await calm();
    const limit = { what: `its best, with ${usualConnections} callers`, value: best, unit: 'req/s' };
    const rateRow = (id: string, what: string, rate: number): Row => ({
      id,
      what,
      figure: { value: rate, unit: 'req/s' },
      limit,
      judged: shareOf(rate, best, leastShare),
    });
    const refusedSeconds = hundredfold.refusedWithinMs / 1000;
    const rows: Row[] = [
      rateRow('overload', 'GET /dapp/orders/{orderId}, 10 times the callers', tenfold.rate),
      {
        id: 'overload refusals',
        what: `100 times the callers: ${hundredfold.statuses['503'] ?? 0} refused, 95 % of them within`,
        figure: { value: refusedSeconds, unit: 's' },
        limit: null,
        judged: { kind: 'amount', value: refusedSeconds, atMost: mostSecondsForRefusal, unit: 's' },
      },
      rateRow('overload recovery', 'right after that, as many callers as before', after),
    ];
    const memory = service.peakMemoryMb();
    if (memory === null) return rows;
    return [
      ...rows,
      {
        id: 'overload memory',
        what: 'the most memory until then',
        figure: { value: memory, unit: 'MB' },
        limit: null,
        judged: { kind: 'amount', value: memory, atMost: mostMemoryMb, unit: 'MB' },
      },
    ];
  },
};

async function crowd(
  { service, load, sizes }: Bench,
  requests: RequestList,
  times: number,
): Promise<LoadResult> {
  const result = await load(service.baseUrl, requests, {
    connections: times * usualConnections,
    // Long enough for each of them to have been served or refused several times.
    until: { seconds: Math.max(5, sizes.runSeconds) },
  });
  const unforeseen = Object.keys(result.statuses).filter((status) => status !== '200' && status !== '503');
  if (unforeseen.length > 0 || result.failures > 0) {
    throw new Error(`The crowd was answered with something else: ${JSON.stringify(result)}`);
  }
  return result;
}

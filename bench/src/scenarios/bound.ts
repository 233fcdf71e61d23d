import { type Bench, boundHeaders, emptyPayload, signHeaders } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { type Row, shareOf } from '../report/row.ts';
import type { Scenario } from './scenario.ts';

const path = '/planets';

/** Bound signatures cost about as much as simple ones, whether they are new or repeated. */
export const bound: Scenario = {
  name: 'bound',
  measure: async (bench) => {
    const { service, signers, sizes } = bench;
    const signer = signers.large;
    const simple = bench.unseenSignatures().map((headers) => ({ path, headers }));
    const bind = () => ({ path, headers: boundHeaders(signer, 'GET', service.baseUrl + path) });
    const repeat = <Request>(request: Request): Request[] => Array(100).fill(request);
    const lists = {
      simpleFresh: bench.registerRequests(simple),
      boundFresh: bench.registerRequests(simple.map(bind)),
      simpleRepeated: bench.registerRequests(repeat({ path, headers: signHeaders(signer, emptyPayload) })),
      boundRepeated: bench.registerRequests(repeat(bind())),
    };
    const every = (seconds: number) => ({
      simpleFresh: measureOf(bench, lists.simpleFresh, seconds),
      boundFresh: measureOf(bench, lists.boundFresh, seconds),
      simpleRepeated: measureOf(bench, lists.simpleRepeated, seconds),
      boundRepeated: measureOf(bench, lists.boundRepeated, seconds),
    });
    const rates = await measureInterleaved(every(sizes.runSeconds), every(sizes.warmUpSeconds));
    const row = (id: string, what: string, rate: number, simpleRate: number): Row => ({
      id: `bound ${id}`,
      what: `GET ${path}, ${what}`,
      figure: { value: rate, unit: 'req/s' },
      limit: { what: 'the same with simple signatures', value: simpleRate, unit: 'req/s' },
      judged: shareOf(rate, simpleRate, 0.9),
    });
    return [
      row('fresh', 'bound signatures never seen before', rates.boundFresh, rates.simpleFresh),
      row('repeated', 'one repeated bound signature', rates.boundRepeated, rates.simpleRepeated),
    ];
  },
};

function measureOf(bench: Bench, list: ReturnType<Bench['registerRequests']>, seconds: number) {
  return () => bench.measureRate(bench.service.baseUrl, list, { until: { seconds } });
}

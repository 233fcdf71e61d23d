import { type Bench, emptyPayload, fetchBody, signedGet, signHeaders } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { type Row, shareOf } from '../report/row.ts';
import type { Scenario } from './scenario.ts';

const different = 2_000;

const paths = ['/planets', '/dapp/strains'];

/** The catalogue is the same for every caller, so authentication is most of the cost. */
export const catalogue: Scenario = {
  name: 'catalogue',
  measure: async (bench) => {
    const rows: Row[] = [];
    for (const path of paths) rows.push(...(await measurePath(bench, path)));
    return rows;
  },
};

async function measurePath(bench: Bench, path: string): Promise<Row[]> {
  const { service, signers, sizes } = bench;
  const signer = signers.large;
  const body = await fetchBody(service.baseUrl, signedGet(signer, path));
  const origin = await bench.startLimitServer(signer, body);
  const sign = (count: number, to: string) =>
    Array.from({ length: count }, () => ({ path: to, headers: signHeaders(signer, emptyPayload) }));
  const toService = bench.unseenSignatures().map((headers) => ({ path, headers }));
  const lists = {
    fresh: bench.registerRequests(toService),
    different: bench.registerRequests(sign(different, path)),
    repeated: bench.registerRequests(sign(1, path).flatMap((request) => Array(100).fill(request))),
    verified: bench.registerRequests(toService.map((request) => ({ ...request, path: '/verified' }))),
    constant: bench.registerRequests(
      toService.slice(0, 100).map((request) => ({ ...request, path: '/constant' })),
    ),
  };
  const targets = {
    fresh: service.baseUrl,
    different: service.baseUrl,
    verified: origin,
    repeated: service.baseUrl,
    constant: origin,
  };
  const measureOf = (name: keyof typeof targets, seconds: number) => () =>
    bench.measureRate(targets[name], lists[name], { until: { seconds } });
  const every = (seconds: number) => ({
    fresh: measureOf('fresh', seconds),
    different: measureOf('different', seconds),
    verified: measureOf('verified', seconds),
    repeated: measureOf('repeated', seconds),
    constant: measureOf('constant', seconds),
  });
  const rates = await measureInterleaved(every(sizes.runSeconds), every(sizes.warmUpSeconds));
  const verified = { what: 'fastify, one verification', value: rates.verified, unit: 'req/s' };
  const constant = { what: 'fastify, constant response', value: rates.constant, unit: 'req/s' };
  const row = (
    name: 'fresh' | 'different' | 'repeated',
    what: string,
    limit: typeof verified,
    atLeast: number,
  ): Row => ({
    id: `${path} ${name}`,
    what: `GET ${path}, ${what}`,
    figure: { value: rates[name], unit: 'req/s' },
    limit,
    judged: shareOf(rates[name], limit.value, atLeast),
  });
  return [
    row('fresh', 'signatures never seen before', verified, 0.8),
    row('different', `${different.toLocaleString('en-US')} different signatures`, verified, 0.8),
    row('repeated', 'one repeated signature', constant, 0.6),
  ];
}

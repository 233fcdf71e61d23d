import { type Bench, emptyPayload, fetchBody, signed, signedGet } from '../bench.ts';
import { measureInTurn } from '../measure/in-turn.ts';
import { type Row, shareOf } from '../report/row.ts';
import type { Scenario } from './scenario.ts';

const different = 2_000;

const paths = ['/planets', '/dapp/strains'];

/** The answers that are the same for every caller: what is left is to find out who calls. */
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
  const origin = await bench.limitServer(signer, body);
  const sign = (count: number, to: string) =>
    Array.from({ length: count }, () => ({ path: to, headers: signed(signer, emptyPayload) }));
  const toService = bench.neverSeen().map((headers) => ({ path, headers }));
  const lists = {
    fresh: bench.handOver(toService),
    different: bench.handOver(sign(different, path)),
    repeated: bench.handOver(sign(1, path).flatMap((request) => Array(100).fill(request))),
    verified: bench.handOver(toService.map((request) => ({ ...request, path: '/verified' }))),
    constant: bench.handOver(toService.slice(0, 100).map((request) => ({ ...request, path: '/constant' }))),
  };
  const targets = {
    fresh: service.baseUrl,
    different: service.baseUrl,
    verified: origin,
    repeated: service.baseUrl,
    constant: origin,
  };
  const measureOf = (name: keyof typeof targets, seconds: number) => () =>
    bench.rateOf(targets[name], lists[name], { until: { seconds } });
  const every = (seconds: number) => ({
    fresh: measureOf('fresh', seconds),
    different: measureOf('different', seconds),
    verified: measureOf('verified', seconds),
    repeated: measureOf('repeated', seconds),
    constant: measureOf('constant', seconds),
  });
  const rates = await measureInTurn(every(sizes.runSeconds), every(sizes.warmUpSeconds));
  const verified = { what: 'fastify, one verification', value: rates.verified, unit: 'req/s' };
  const constant = { what: 'fastify, constant answer', value: rates.constant, unit: 'req/s' };
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

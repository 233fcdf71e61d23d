import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { percentile } from '../measure/percentile.ts';
import { settingsFor } from '../processes/service.ts';
import { root } from '../root.ts';
import { describeLatencies, measureLatencies } from './fairness.ts';
import type { Scenario } from './scenario.ts';

const rounds = 2;
const maxTimes = 3;
/** 50 requests per second. */
const requestsPerSecond = 50;

/** The latency of one holder while the orders of another are archived. It runs last, because it deletes orders. */
export const archive: Scenario = {
  name: 'archive',
  measure: async (bench) => {
    const samples = Math.max(150, Math.ceil(bench.sizes.runSeconds * requestsPerSecond));
    const alone: number[] = [];
    const beside: number[] = [];
    await measureLatencies(bench, samples);
    for (let round = 0; round < rounds; round++) {
      alone.push(...(await measureLatencies(bench, samples)));
      beside.push(...(await measureBeside(bench, samples)));
    }
    bench.progress(`  alone: ${describeLatencies(alone)}; beside: ${describeLatencies(beside)}`);
    const limit = percentile(alone, 0.99);
    const value = percentile(beside, 0.99);
    return [
      {
        id: 'archive',
        what: `p99 of a holder while orders of one with ${bench.sizes.orders.toLocaleString('en-US')} are archived`,
        figure: { value, unit: 'ms' },
        limit: { what: 'its p99 alone', value: limit, unit: 'ms' },
        judged: { kind: 'times', value: value / limit, atMost: maxTimes },
      },
    ];
  },
};

/** Measures while the command archives, from the oldest month on, and interrupts it afterwards. */
async function measureBeside(bench: Bench, samples: number): Promise<number[]> {
  const before = new Date();
  before.setUTCFullYear(before.getUTCFullYear() - 1, before.getUTCMonth(), 1);
  const counted = await countArchived(bench);
  const child = spawn(
    process.execPath,
    [
      join(root, 'packages/server/dist/bundle/main.js'),
      ...['archive-orders', '--before', before.toISOString().slice(0, 7)],
    ],
    { env: { PATH: process.env.PATH, ...settingsFor(bench.store) }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    while ((await countArchived(bench)) === counted) {
      if (child.exitCode !== null) throw new Error('No orders are left to be archived: seed the store again');
    }
    const begin = performance.now();
    const first = await countArchived(bench);
    const latencies = await measureLatencies(bench, samples);
    const archived = (await countArchived(bench)) - first;
    const seconds = (performance.now() - begin) / 1000;
    bench.progress(`  ${Math.round(archived / seconds).toLocaleString('en-US')} orders archived a second`);
    if (child.exitCode !== null) bench.progress('  the archiving ended before the measurement');
    return latencies;
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

async function countArchived({ store }: Bench): Promise<number> {
  const { rows } = await store.client.query(
    'SELECT coalesce(sum(orders), 0)::int AS count FROM keyfront.order_archives',
  );
  return rows[0].count;
}

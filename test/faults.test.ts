import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { readOptions, usage } from '../faults/src/options.ts';
import { runTrial } from '../faults/src/run-trials.ts';
import { database } from '../faults/src/trials/database.ts';
import { kills } from '../faults/src/trials/kills.ts';

/** The short form of `npm run faults`: every kind of fault once. */
const sizes = {
  kills: 5,
  networkFaults: 5,
  failovers: 1,
  ordersBetweenFaults: 5,
  exportedOrders: 0,
  minutes: 0,
};
const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));

it.each([kills, database])(
  `nothing is lost, doubled or oversold in the trial $name (FAULTS_SEED=${seed})`,
  async (trial) => {
    const messages: string[] = [];
    const { problems } = await runTrial({ trial, sizes, seed, progress: (text) => messages.push(text) });
    expect(problems, messages.join('\n')).toEqual([]);
  },
);

it('reads the command line, and describes it', () => {
  expect(readOptions(['--help'], () => 1)).toBeNull();
  expect(usage).toContain('--kills <n>');
  expect(
    readOptions(['--kills', '100', '--minutes', '10', '--seed', '7', '--only', 'kills'], () => 1),
  ).toMatchObject({
    only: ['kills'],
    seed: 7,
    sizes: { kills: 100, minutes: 10, networkFaults: 100, failovers: 5 },
  });
  expect(readOptions([], () => 42)).toMatchObject({ seed: 42, sizes: { kills: 20, minutes: 0 } });
  expect(() => readOptions(['--kills', 'many'], () => 1)).toThrow('--kills must be a number, not "many".');
  expect(() => readOptions(['--only', 'rain'], () => 1)).toThrow('Unknown trial "rain".');
  expect(() => readOptions(['--unknown'], () => 1)).toThrow("Unknown option '--unknown'");
});

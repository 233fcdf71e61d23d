import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { runTrial } from '../../faults/src/run-trials.ts';
import { database } from '../../faults/src/trials/database.ts';
import { kills } from '../../faults/src/trials/kills.ts';

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

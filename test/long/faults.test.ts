import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { runTrial } from '../../faults/src/run-trials.ts';
import { database } from '../../faults/src/trials/database.ts';
import { foreignTransactions } from '../../faults/src/trials/foreign-transactions.ts';
import { kills } from '../../faults/src/trials/kills.ts';
import { lostListeners } from '../../faults/src/trials/lost-listeners.ts';
import { stalledDatabase } from '../../faults/src/trials/stalls.ts';

/** The short form of `npm run faults`: every kind of fault once, without the trials that mostly wait. */
const sizes = {
  kills: 5,
  networkFaults: 5,
  failovers: 1,
  ordersBetweenFaults: 5,
  exportedOrders: 0,
  minutes: 0,
};
const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));

it.each([kills, database, foreignTransactions, lostListeners, stalledDatabase])(
  `the service survives the trial $name (FAULTS_SEED=${seed})`,
  async (trial) => {
    const messages: string[] = [];
    const { problems } = await runTrial({ trial, sizes, seed, progress: (text) => messages.push(text) });
    expect(problems, messages.join('\n')).toEqual([]);
  },
);

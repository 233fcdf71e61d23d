import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { runTrial } from '../../faults/src/run-trials.ts';
import { database } from '../../faults/src/trials/database.ts';
import { foreignTransactions } from '../../faults/src/trials/foreign-transactions.ts';
import { kills } from '../../faults/src/trials/kills.ts';
import { lostListeners } from '../../faults/src/trials/lost-listeners.ts';
import { patroni } from '../../faults/src/trials/patroni.ts';
import { stalledDatabase } from '../../faults/src/trials/stalls.ts';
import type { Trial } from '../../faults/src/trials/trial.ts';
import { needs } from '../support/requirements.ts';

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

async function expectSurvival(trial: Trial, trialSizes = sizes): Promise<void> {
  const messages: string[] = [];
  const progress = (text: string) => messages.push(text);
  const { problems } = await runTrial({ trial, sizes: trialSizes, seed, progress });
  expect(problems, messages.join('\n')).toEqual([]);
}

it.each([kills, database, foreignTransactions, lostListeners, stalledDatabase])(
  `the service survives the trial $name (FAULTS_SEED=${seed})`,
  (trial) => expectSurvival(trial),
);

// Each of the other faults waits for a lease of Patroni: `npm run faults -- --only patroni` has all of them.
it(
  `the service survives a switchover and a killed primary of Patroni (FAULTS_SEED=${seed})`,
  needs('Patroni'),
  () => expectSurvival(patroni, { ...sizes, kills: 2 }),
);

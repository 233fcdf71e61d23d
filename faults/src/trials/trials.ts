import { database } from './database.ts';
import { events } from './events.ts';
import { foreignTransactions } from './foreign-transactions.ts';
import { fullExports } from './full-exports.ts';
import { kills } from './kills.ts';
import { lateClock } from './late-clock.ts';
import { lostListeners } from './lost-listeners.ts';
import { madeUpKeys } from './made-up-keys.ts';
import { patroni } from './patroni.ts';
import { slowWebhooks } from './slow-webhooks.ts';
import { stalledReaders } from './stalled-readers.ts';
import { stalledDatabase } from './stalls.ts';
import type { Trial } from './trial.ts';

/** All trials, in the order in which they run. */
export const trials: readonly Trial[] = [
  kills,
  database,
  events,
  stalledReaders,
  slowWebhooks,
  foreignTransactions,
  lostListeners,
  stalledDatabase,
  fullExports,
  madeUpKeys,
  lateClock,
  patroni,
];

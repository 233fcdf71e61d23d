import { database } from './database.ts';
import { events } from './events.ts';
import { foreignTransactions } from './foreign-transactions.ts';
import { kills } from './kills.ts';
import { lostListeners } from './lost-listeners.ts';
import { slowWebhooks } from './slow-webhooks.ts';
import { stalledReaders } from './stalled-readers.ts';
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
];

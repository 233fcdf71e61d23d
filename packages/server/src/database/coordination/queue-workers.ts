import { statement } from '@keyfront/postgres';
import { queueSchema } from '../connection/queue-settings.ts';
import type { Database } from '../database.ts';
import { systemScope } from '../transactions/scope.ts';

/** How often a worker shows that it is alive, and after which time it is taken for dead. */
export const heartbeatMs = 5_000;
const deadAfterMs = 30_000;

const beat = statement(
  'queue.beat',
  `INSERT INTO queue_workers (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
);
// The lock of a job is younger than its worker's first heartbeat for a moment.
const unlock = statement<{ id: string }>(
  'queue.unlock-jobs-of-dead',
  `WITH dead AS (
     SELECT DISTINCT locked_by AS id FROM ${queueSchema}._private_jobs AS job
     WHERE locked_by IS NOT NULL AND locked_at < $1 AND NOT EXISTS (
       SELECT FROM queue_workers WHERE id = job.locked_by AND seen_at > now() - $2 * interval '1 ms'
     )
   ), unlocked AS (
     SELECT ${queueSchema}.force_unlock_workers(array_agg(id)) FROM dead HAVING count(*) > 0
   )
   SELECT id FROM dead, (SELECT count(*) FROM unlocked) AS done`,
);
// A connection that is lost together with the response leaves a job locked on which nobody works.
const unlockForgotten = statement<{ id: string }>(
  'queue.unlock-forgotten-jobs',
  `UPDATE ${queueSchema}._private_jobs SET locked_by = NULL, locked_at = NULL
   WHERE locked_by = $1 AND locked_at < $2 AND id <> ALL ($3::bigint[]) RETURNING id::text`,
);
const forget = statement(
  'queue.forget',
  "DELETE FROM queue_workers WHERE id = $1 OR seen_at < now() - interval '1 day'",
);

/** A worker, as the queue knows it. */
export interface QueueWorker {
  readonly id: string;
  /** The jobs that it has taken and whose result is not written yet. */
  readonly jobIds: ReadonlySet<string>;
}

/** What a worker has unlocked. */
export interface Unlocked {
  /** Workers that were found dead. */
  readonly deadWorkers: readonly string[];
  /** Jobs of the worker itself of which it did not know. */
  readonly forgottenJobs: readonly string[];
}

/**
 * Shows that a worker is alive, and unlocks jobs on which nobody works. These are jobs of dead workers, and jobs that
 * this one took without learning of it. The library itself would wait for four hours.
 */
export async function keepWorkerAlive(database: Database, worker: QueueWorker): Promise<Unlocked> {
  const { id, jobIds } = worker;
  await database.query(systemScope, beat, [id]);
  const lockedBefore = new Date(Date.now() - deadAfterMs);
  const dead = await database.query(systemScope, unlock, [lockedBefore, deadAfterMs]);
  const forgotten = await database.query(systemScope, unlockForgotten, [id, lockedBefore, [...jobIds]]);
  return { deadWorkers: dead.map((row) => row.id), forgottenJobs: forgotten.map((row) => row.id) };
}

/** Forgets a worker that has ended. */
export async function forgetWorker(database: Database, workerId: string): Promise<void> {
  await database.query(systemScope, forget, [workerId]);
}

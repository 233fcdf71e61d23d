import type { Database } from './database.ts';
import { systemScope } from './scope.ts';
import { statement } from './statement.ts';
import { queueSchema } from './work-queue.ts';

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
const forget = statement(
  'queue.forget',
  "DELETE FROM queue_workers WHERE id = $1 OR seen_at < now() - interval '1 day'",
);

/**
 * Shows that a worker is alive, and gives the jobs of dead ones to others. graphile-worker itself would wait for four hours. Returns the
 * workers that were found dead.
 */
export async function keepWorkerAlive(database: Database, workerId: string): Promise<string[]> {
  await database.query(systemScope, beat, [workerId]);
  const rows = await database.query(systemScope, unlock, [new Date(Date.now() - deadAfterMs), deadAfterMs]);
  return rows.map(({ id }) => id);
}

/** Forgets a worker that has ended. */
export async function forgetWorker(database: Database, workerId: string): Promise<void> {
  await database.query(systemScope, forget, [workerId]);
}

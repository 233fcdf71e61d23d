import { statement } from '@keyfront/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { queueSchema } from '../connection/queue-settings.ts';
import { systemScope } from '../transactions/scope.ts';
import { keepWorkerAlive } from './queue-workers.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const insertJob = statement<{ id: string }>(
  'test.insert-job',
  `SELECT id::text FROM ${queueSchema}.add_job('deliver', '{}')`,
);
const lockJob = statement(
  'test.lock-job',
  `UPDATE ${queueSchema}._private_jobs SET locked_by = $2, locked_at = now() - $3 * interval '1 second' WHERE id = $1`,
);
const listLocked = statement<{ id: string }>(
  'test.list-locked',
  `SELECT id::text FROM ${queueSchema}._private_jobs WHERE locked_by = $1 ORDER BY id`,
);

/** Adds a job that a worker has taken. */
async function addJob(workerId: string, secondsAgo: number): Promise<string> {
  const [job] = await test.database.query(systemScope, insertJob, []);
  const id = job?.id ?? '';
  await test.database.query(systemScope, lockJob, [id, workerId, secondsAgo]);
  return id;
}
const lockedBy = async (workerId: string) =>
  (await test.database.query(systemScope, listLocked, [workerId])).map(({ id }) => id);

it('unlocks a job that the worker took without learning of it, and no other', async () => {
  for (const id of ['one', 'other']) await keepWorkerAlive(test.database, { id, jobIds: new Set() });
  const running = await addJob('one', 60);
  const forgotten = await addJob('one', 60);
  const justTaken = await addJob('one', 1);
  const ofOther = await addJob('other', 60);
  const unlocked = await keepWorkerAlive(test.database, { id: 'one', jobIds: new Set([running]) });
  expect(unlocked).toEqual({ deadWorkers: [], forgottenJobs: [forgotten] });
  expect(await lockedBy('one')).toEqual([running, justTaken]);
  expect(await lockedBy('other')).toEqual([ofOther]);
});

it('unlocks the jobs of a worker that has shown no life for long', async () => {
  await addJob('dead', 60);
  const { deadWorkers } = await keepWorkerAlive(test.database, { id: 'alive', jobIds: new Set() });
  expect(deadWorkers).toEqual(['dead']);
  expect(await lockedBy('dead')).toEqual([]);
});

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { startDatabaseJob } from '../../database/coordination/database-job.ts';
import { deleteExpiredNonces } from './delete-expired.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
afterEach(() => vi.useRealTimers());

const insertNonces = (count: number, age: string) =>
  runSql(
    test.ownerUrl,
    `INSERT INTO keyfront.sign_in_nonces (nonce_hash, wallet_address, type, expires_at)
     SELECT sha256(gen_random_uuid()::text::bytea), '0x${'1'.repeat(40)}', 'dapp', now() + $2::interval
     FROM generate_series(1, $1)`,
    [count, age],
  );
const countNonces = async () => {
  const [row] = await runSql<{ n: number }>(
    test.ownerUrl,
    'SELECT count(*)::int AS n FROM keyfront.sign_in_nonces',
  );
  return row?.n;
};

const deleteNonces = (signal = new AbortController().signal) =>
  deleteExpiredNonces.work(test.database, signal);

describe('deleting expired nonces', () => {
  it('deletes those that have expired and no others', async () => {
    await insertNonces(3, '-1 second');
    await insertNonces(2, '1 minute');
    expect(await deleteNonces()).toBe(3);
    expect(await countNonces()).toBe(2);
    expect(await deleteNonces()).toBe(0);
  });

  it('deletes more than one batch, and each nonce once when several processes do it', {
    tags: ['long'],
  }, async () => {
    await insertNonces(25_000, '-1 hour');
    const counts = await Promise.all(Array.from({ length: 6 }, () => deleteNonces()));
    expect(counts.reduce((sum: number, count) => sum + Number(count), 0)).toBe(25_000);
    expect(await countNonces()).toBe(2);
  });

  it('leaves the rest for the next run when it is stopped', async () => {
    await insertNonces(15_000, '-1 hour');
    const stopping = new AbortController();
    const firstBatch = deleteNonces(stopping.signal);
    stopping.abort();
    expect(await firstBatch).toBe(10_000);
    expect(await deleteNonces()).toBe(5_000);
  });

  it('runs every minute', async () => {
    await insertNonces(1, '-1 second');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const errors: unknown[] = [];
    const work = vi.fn(deleteExpiredNonces.work);
    const job = startDatabaseJob({ ...deleteExpiredNonces, work }, test.database, (error) =>
      errors.push(error),
    );
    vi.advanceTimersByTime(53_999);
    expect(await countNonces()).toBe(3);
    // The timers of the database connection are fake too. They may come first, and must not run after the job has begun.
    while (work.mock.calls.length === 0) vi.advanceTimersToNextTimer();
    vi.useRealTimers();
    await job.stop();
    expect(errors).toEqual([]);
    expect(await countNonces()).toBe(2);
  });
});

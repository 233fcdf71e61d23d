import type pg from 'pg';
import { expect } from 'vitest';
import { runSql, type TestDatabase } from './test-database.ts';

/** Fails the test unless every connection is back in its pool, outside of any transaction. */
export async function expectAllGivenBack({ database, ownerUrl }: TestDatabase): Promise<void> {
  const { total, idle, waiting } = database.poolUsage();
  expect({ idle, waiting }).toEqual({ idle: total, waiting: 0 });
  await expectAllIdle(ownerUrl);
}

/** Fails the test unless every connection of the service to this database is outside of any transaction. */
export async function expectAllIdle(ownerUrl: string): Promise<void> {
  const states = await runSql(
    ownerUrl,
    `SELECT DISTINCT state FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'keyfront' AND pid <> pg_backend_pid()`,
  );
  expect(states).toEqual([{ state: 'idle' }]);
}

/** How many connections of the service to this database wait for a lock. */
export async function countWaitingForLock(ownerUrl: string): Promise<number> {
  const [row] = await runSql<{ count: number }>(
    ownerUrl,
    `SELECT count(*)::int FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'keyfront' AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

/** Locks the clients while the work runs, so that queries for them wait in the database. */
export async function withLockedClients<Result>(
  owner: pg.Pool,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await owner.connect();
  await client.query('BEGIN; LOCK TABLE clients IN ACCESS EXCLUSIVE MODE');
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '@keyfront/postgres';
import pg from 'pg';
import { StartError } from '../../lib/errors/start-error.ts';
import type { MigrationSession } from './migration-session.ts';
import type { Migration } from './migrations.ts';

const minPauseMs = 50;
const maxPauseMs = 2_000;

const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/** The first line of a migration whose statements must not run in a transaction, such as `CREATE INDEX CONCURRENTLY`. */
const withoutTransaction = /^-- no-transaction *\n/;

/** Applies one migration and records it. */
export async function applyMigration(
  session: MigrationSession,
  migration: Migration,
  onProgress: (message: string) => void,
): Promise<void> {
  const isTransactional = !withoutTransaction.test(migration.sql);
  let isWaiting = false;
  try {
    await retryForLocks(
      session,
      () => (isTransactional ? applyInTransaction(session, migration) : applyStepwise(session, migration)),
      () => {
        if (!isWaiting)
          onProgress(`Waiting for a lock: a table of the migration ${migration.name} is in use`);
        isWaiting = true;
      },
    );
  } catch (error) {
    if (isLockFailure(error)) {
      throw new StartError(
        `The migration ${migration.name} did not get its locks, because a transaction keeps its tables in use: end ` +
          'that transaction (see pg_stat_activity), and start again.',
        { cause: error },
      );
    }
    const [, extension] = /extension "(\w+)"/.exec(describeError(error)) ?? [];
    if (extension !== undefined) {
      throw new StartError(
        `The database needs the extension ${extension} (${describeError(error)}): install the contrib package of ` +
          `PostgreSQL, or ask a database administrator to run "CREATE EXTENSION ${extension};" in this database, then ` +
          'start again.',
        { cause: error },
      );
    }
    const outcome = isTransactional ? 'failed and was rolled back' : 'failed';
    throw new StartError(
      `The migration ${migration.name} ${outcome} (${describeError(error)}): remove the cause and start again.`,
      { cause: error },
    );
  }
}

/**
 * Runs the work until it gets its locks. Each attempt waits for a lock only for a moment, because every query that needs
 * the table waits behind it: a migration must not stop a running instance until an export has ended.
 */
export async function retryForLocks(
  { timing, signal }: MigrationSession,
  work: () => Promise<void>,
  onWait: () => void = () => undefined,
): Promise<void> {
  const giveUpAt = performance.now() + timing.giveUpAfterMs;
  for (let pauseMs = minPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isLockFailure(error) || performance.now() + pauseMs > giveUpAt) throw error;
    }
    onWait();
    await delay(pauseMs * (0.5 + Math.random() / 2), undefined, { signal });
  }
}

function isLockFailure(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && (error.code === lockNotAvailable || error.code === deadlockDetected)
  );
}

async function applyInTransaction(session: MigrationSession, migration: Migration): Promise<void> {
  try {
    await session.query('BEGIN');
    await session.runLong(migration.sql);
    await record(session, migration);
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Runs the statements of a migration one by one, each on its own. If one fails, the next attempt runs all of them again, so
 * each must have no effect the second time (`IF NOT EXISTS`).
 */
async function applyStepwise(session: MigrationSession, migration: Migration): Promise<void> {
  // These statements wait for running transactions, but nothing waits behind them.
  await session.query('SET lock_timeout = 0');
  for (const text of splitStatements(migration.sql)) {
    await dropInvalidIndexes(session);
    await session.runLong(text);
  }
  await record(session, migration);
  await session.query(`SET lock_timeout = ${session.timing.lockTimeoutMs}`);
}

/** Splits a migration at each semicolon that ends a line outside of a body in `$$`. */
function splitStatements(sql: string): string[] {
  const isStatement = (text: string) => text.replaceAll(/^\s*--.*$/gm, '').trim() !== '';
  const marked = sql.replaceAll(/\$\$[\s\S]*?\$\$|;[ \t]*$/gm, (found) =>
    found.startsWith(';') ? '\0' : found,
  );
  return marked.split('\0').filter(isStatement);
}

/** `CREATE INDEX CONCURRENTLY` leaves an invalid index when it fails, and `IF NOT EXISTS` would take it for the index. */
async function dropInvalidIndexes(session: MigrationSession): Promise<void> {
  const invalid = await session.query<{ name: string }>(
    `SELECT indexrelid::regclass AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE NOT indisvalid AND relnamespace = 'keyfront'::regnamespace`,
  );
  for (const { name } of invalid) await session.runLong(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

async function record(session: MigrationSession, { name, checksum }: Migration): Promise<void> {
  await session.query('INSERT INTO keyfront.migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
}

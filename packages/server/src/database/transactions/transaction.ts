import {
  arePrepared,
  commitTransaction,
  execute,
  type LeadingStatement,
  type Statement,
} from '@keyfront/postgres';
import pg from 'pg';

/** Runs one statement, in one round trip, in a scope that is already set. */
export type RunStatement = <Row>(statement: Statement<Row>, values?: unknown[]) => Promise<Row[]>;

/** Runs statements inside a transaction. */
export interface RunInTransaction extends RunStatement {
  /**
   * Sends a statement together with the COMMIT, in the order of the calls. For writes whose result nobody needs. If it
   * fails, the transaction fails.
   */
  atCommit(statement: Statement<unknown>, values?: unknown[]): void;
  /**
   * Must be called before the work waits for anything other than its statements. Throws if the transaction is shared with other
   * requests, which would wait too. The work is then done again in a transaction of its own.
   */
  requireOwnTransaction(): void;
}

/**
 * Runs the work in a transaction. The leading statements, BEGIN and the scope, are sent with the first statement and COMMIT
 * with the last ones, so there are only as many round trips as results to wait for.
 */
export async function runTransaction<Result>(
  client: pg.PoolClient,
  leading: readonly LeadingStatement[],
  work: (tx: RunInTransaction) => Promise<Result>,
): Promise<Result> {
  let leadingStatements = leading;
  const atCommit: LeadingStatement[] = [];
  let isOver = false;
  let firstError: unknown = null;
  const runNow = <Row>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> => {
    // If one part of the work fails, another may continue after the connection has gone back to the pool.
    if (isOver) return Promise.reject(new Error('The transaction is over'));
    const leadingOfThis = leadingStatements;
    leadingStatements = [];
    const executing = execute(client, statement, values, leadingOfThis);
    // PostgreSQL responds in the order of the statements, so the first rejection is that of the statement that failed.
    executing.catch((error) => {
      firstError ??= error;
    });
    return executing;
  };
  const tx: RunInTransaction = Object.assign(runNow, {
    atCommit: (statement: Statement<unknown>, values: unknown[] = []) => {
      atCommit.push({ statement, values });
    },
    requireOwnTransaction: () => undefined,
  });
  try {
    const result = await work(tx);
    // One message is cheaper than several. A statement that the connection has not prepared yet is sent on its own, without
    // waiting: if it fails, PostgreSQL turns the COMMIT into a ROLLBACK.
    const hasBegun = leadingStatements.length === 0;
    const leadsCommit = hasBegun && arePrepared(client, atCommit);
    const sent = leadsCommit ? [] : atCommit.map(({ statement, values }) => runNow(statement, [...values]));
    isOver = true;
    const committing =
      leadingStatements.length === 0 ? commitTransaction(client, leadsCommit ? atCommit : []) : true;
    const outcomes = await Promise.allSettled([...sent, committing]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    // A failed statement rolls the transaction back even if the work caught its error. The caller must not miss that.
    if (!(await committing)) {
      throw firstError ?? new Error('The transaction was rolled back at its commit');
    }
    return result;
  } catch (error) {
    isOver = true;
    if (leadingStatements.length === 0) await client.query('ROLLBACK').catch(() => undefined);
    // Statements that were sent after the failed one only report that the transaction is aborted.
    throw isAbortedTransaction(error) ? firstError : error;
  }
}

function isAbortedTransaction(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === inFailedTransaction;
}
const inFailedTransaction = '25P02';
const serializationFailure = '40001';
const deadlockDetected = '40P01';

/** Returns whether a transaction failed because of a concurrent one, and may succeed when it is run again. */
export function isRetryableConflict(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    (error.code === serializationFailure || error.code === deadlockDetected)
  );
}

/**
 * Class 22: invalid values. 23: violated constraints. 40001 and 40P01: conflicts. 55P03: a lock was not available in time. P0001: an
 * exception of a function.
 */
const refusals = /^(22...|23...|40001|40P01|55P03|P0001)$/;

/**
 * Returns whether PostgreSQL has refused a statement of a transaction, which is then certainly rolled back. After other errors,
 * for example of a proxy in between, it may have been committed.
 */
export function isCertainlyRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && refusals.test(error.code ?? '');
}

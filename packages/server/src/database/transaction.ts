import pg from 'pg';
import { opening } from './leading-statements.ts';
import { commitTransaction, execute } from './pipelined-query.ts';
import type { Scope } from './scope.ts';
import type { Statement } from './statement.ts';

/** Runs one statement, in one round trip, inside a scope that is settled already. */
export type RunStatement = <Row>(statement: Statement<Row>, values?: unknown[]) => Promise<Row[]>;

/** Runs statements inside a transaction. */
export interface RunInTransaction extends RunStatement {
  /**
   * One statement that is sent together with the COMMIT, in the order of these calls: for writes whose rows nobody
   * needs to see. When it fails, so does the transaction.
   */
  atCommit(statement: Statement<unknown>, values?: unknown[]): void;
}

/**
 * Runs the work in a transaction with as few round trips as there are statements to wait for: BEGIN and the scope
 * travel with the first one, COMMIT with the last ones.
 */
export async function runTransaction<Result>(
  client: pg.PoolClient,
  scope: Scope,
  work: (run: RunInTransaction) => Promise<Result>,
): Promise<Result> {
  let leadingStatements = opening(scope);
  const last: [Statement<unknown>, unknown[]][] = [];
  let isOver = false;
  const runNow = <Row>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> => {
    // Part of the work may go on after another part has failed. The connection is somebody else's by then.
    if (isOver) return Promise.reject(new Error('The transaction is over'));
    const taken = leadingStatements;
    leadingStatements = [];
    return execute(client, statement, values, taken);
  };
  const run: RunInTransaction = Object.assign(runNow, {
    atCommit: (statement: Statement<unknown>, values: unknown[] = []) => {
      last.push([statement, values]);
    },
  });
  try {
    const result = await work(run);
    // None waits for the one before it. One that fails makes a COMMIT behind it a ROLLBACK.
    const sent = last.map(([statement, values]) => runNow(statement, values));
    isOver = true;
    const committing = leadingStatements.length === 0 ? commitTransaction(client) : true;
    const outcomes = await Promise.allSettled([...sent, committing]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    // What a statement had broken, and the work did not mind, is undone all the same: nobody may take it for done.
    if (!(await committing)) throw new Error('The transaction was rolled back at its commit');
    return result;
  } catch (error) {
    isOver = true;
    if (leadingStatements.length === 0) await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

// Another transaction came between, or one of two that waited for each other had to go.
const passingConflict = new Set(['40001', '40P01']);

/** Whether a transaction may succeed when it is simply run again. */
export function isPassingConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && passingConflict.has(error.code ?? '');
}

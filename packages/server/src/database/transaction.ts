import pg from 'pg';
import type { Scope } from './scope.ts';
import { beginning, commit, executeBehind, scoping } from './scoped-query.ts';
import type { Statement } from './statement.ts';

/** Runs statements inside a transaction that has its scope already. */
export interface RunInTransaction {
  /** One statement, in one round trip. */
  <Row>(statement: Statement<Row>, values?: unknown[]): Promise<Row[]>;
  /**
   * One statement that is sent together with the COMMIT, in the order of these calls: for writes whose rows nobody
   * needs to see. When it fails, so does the transaction.
   */
  atCommit(statement: Statement<unknown>, values?: unknown[]): void;
}

/** One statement on a connection that is inside a scope already, or needs none. */
export async function execute<Row>(
  client: pg.PoolClient,
  statement: Statement<Row>,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await client.query({ name: statement.name, text: statement.text, values });
  return rows;
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
  let preludes = scope.role === 'system' ? [beginning] : [beginning, scoping(scope)];
  const last: [Statement<unknown>, unknown[]][] = [];
  const runNow = <Row>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> => {
    if (preludes.length === 0) return execute(client, statement, values);
    const taken = preludes;
    preludes = [];
    return executeBehind(client, taken, statement, values);
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
    if (preludes.length === 0) sent.push(execute(client, commit, []));
    for (const outcome of await Promise.allSettled(sent)) {
      if (outcome.status === 'rejected') throw outcome.reason;
    }
    return result;
  } catch (error) {
    if (preludes.length === 0) await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

// Another transaction came between, or one of two that waited for each other had to go.
const passingConflict = new Set(['40001', '40P01']);

/** Whether a transaction may succeed when it is simply run again. */
export function isPassingConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && passingConflict.has(error.code ?? '');
}

import { performance } from 'node:perf_hooks';
import {
  execute,
  executeRaw,
  type LeadingStatement,
  type RowWriter,
  type Statement,
  statement,
} from '@keyfront/postgres';
import type pg from 'pg';
import { streamTimeoutMs } from '../connection/server-pools.ts';
import { beginInScope, enterScope } from './leading-statements.ts';
import type { Scope } from './scope.ts';
import type { RunStatement } from './transaction.ts';

const batchSize = 2_000;

export interface StreamedQuery {
  readonly statement: Statement<unknown>;
  readonly values: readonly unknown[];
  /** Called again if the stream begins again at another server. */
  readonly createWriter: () => RowWriter;
}

/**
 * Yields what a writer makes of the rows of a statement, in batches, all of one snapshot, with constant memory. The next batch is
 * fetched while the caller processes the current one; the transaction ends with the last batch.
 */
export async function* streamRows(
  client: pg.PoolClient,
  scope: Scope,
  query: StreamedQuery,
  /** Fails on a replica that lags behind. Null on the primary. */
  requirePosition: LeadingStatement | null = null,
): AsyncGenerator<Buffer> {
  const leading = beginInScope(scope, ...(requirePosition ? [requirePosition] : []));
  yield* readCursor(client, query, leading, performance.now() + streamTimeoutMs, 'ROLLBACK');
}

/** Chooses statements, each when the rows of the one before were read. `run` runs others in the same snapshot. */
export type StreamPlan = (run: RunStatement) => AsyncIterable<StreamedQuery>;

/** The same for several statements, one after the other, all of one snapshot. */
export async function* streamSnapshot(
  client: pg.PoolClient,
  scope: Scope,
  plan: StreamPlan,
): AsyncGenerator<Buffer> {
  const deadline = performance.now() + streamTimeoutMs;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const leading = scope.role === 'system' ? [] : [enterScope(scope)];
    const run: RunStatement = (statement, values = []) => execute(client, statement, values, leading);
    for await (const query of plan(run)) yield* readCursor(client, query, leading, deadline, 'CLOSE rows');
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
  }
}

async function* readCursor(
  client: pg.PoolClient,
  { statement: { text, ...options }, values, createWriter }: StreamedQuery,
  leading: readonly LeadingStatement[],
  deadline: number,
  endCommand: string,
): AsyncGenerator<Buffer> {
  const declare = statement('', `DECLARE rows NO SCROLL CURSOR FOR ${text}`, options);
  const fetch = statement('', `FETCH ${batchSize} FROM rows`);
  const writer = createWriter();
  const fetchNext = () => {
    const fetching = executeRaw(client, fetch, [], writer);
    // The caller awaits it later. Until then a rejection must not count as unhandled.
    fetching.catch(() => undefined);
    return fetching;
  };
  let ending: Promise<number> | null = null;
  const end = () => {
    const nothing = () => 0;
    ending ??= client.query(endCommand).then(nothing, nothing);
    return ending;
  };
  try {
    const declaring = execute(client, declare, [...values], leading);
    let next = fetchNext();
    // Both are sent together. If the first fails, the error of the second only says that the transaction is aborted.
    await declaring;
    for (let rows = await next; rows > 0; rows = await next) {
      if (performance.now() > deadline) throw new Error('A stream of rows was not read in time');
      const written = writer.take();
      next = rows === batchSize ? fetchNext() : end();
      yield written;
    }
  } finally {
    await end();
  }
}

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
import { beginInScope } from './leading-statements.ts';
import type { Scope } from './scope.ts';

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
  { statement: { text, ...options }, values, createWriter }: StreamedQuery,
  /** Fails on a replica that lags behind. Null on the primary. */
  requirePosition: LeadingStatement | null = null,
): AsyncGenerator<Buffer> {
  const declare = statement('', `DECLARE rows NO SCROLL CURSOR FOR ${text}`, options);
  const fetch = statement('', `FETCH ${batchSize} FROM rows`);
  const deadline = performance.now() + streamTimeoutMs;
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
    ending ??= client.query('ROLLBACK').then(nothing, nothing);
    return ending;
  };
  try {
    const declaring = execute(
      client,
      declare,
      [...values],
      beginInScope(scope, ...(requirePosition ? [requirePosition] : [])),
    );
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

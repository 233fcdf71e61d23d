import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import type { Scope } from './scope.ts';
import { beginning, executeBehind, scoping } from './scoped-query.ts';
import { type Statement, statement } from './statement.ts';
import { execute } from './transaction.ts';

/** However slowly a caller reads, its rows are held for no longer than this. */
const longestMs = 15 * 60_000;
const rowsAtOnce = 2_000;

/**
 * The rows of a statement, as they were when it began, so many at a time that memory stays the same however many there
 * are. The next ones are fetched while the caller is busy with the last.
 */
export async function* streamRows<Row>(
  client: pg.PoolClient,
  scope: Scope,
  { text }: Statement<Row>,
  values: unknown[],
): AsyncGenerator<Row[]> {
  const declare = statement('', `DECLARE rows NO SCROLL CURSOR FOR ${text}`);
  const fetch = statement<Row>('', `FETCH ${rowsAtOnce} FROM rows`);
  const giveUpAt = performance.now() + longestMs;
  let next: Promise<Row[]> = Promise.resolve([]);
  const fetchNext = () => {
    next = execute(client, fetch, []);
    // Whoever waits for it hears of its failure; nobody may be waiting yet.
    next.catch(() => undefined);
  };
  try {
    await executeBehind(
      client,
      scope.role === 'system' ? [beginning] : [beginning, scoping(scope)],
      declare,
      values,
    );
    fetchNext();
    for (let rows = await next; rows.length > 0; rows = await next) {
      if (performance.now() > giveUpAt) throw new Error('A caller took too long to read a stream of rows');
      fetchNext();
      yield rows;
    }
  } finally {
    await next.catch(() => undefined);
    await client.query('ROLLBACK').catch(() => undefined);
  }
}

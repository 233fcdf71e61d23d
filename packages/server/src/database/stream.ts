import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import { opening } from './leading-statements.ts';
import { execute } from './pipelined-query.ts';
import type { Scope } from './scope.ts';
import { type Statement, statement } from './statement.ts';

/** However slowly a caller reads, its rows are held for no longer than this. */
const longestMs = 15 * 60_000;
const rowsAtOnce = 2_000;

/**
 * The rows of a statement, as they were when it began, so many at a time that memory stays the same however many there
 * are. The next ones are fetched while the caller is busy with the last; with the last of all, the transaction is ended.
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
  const fetchNext = () => {
    const fetching = execute(client, fetch, []);
    // Whoever waits for it hears of its failure; nobody may be waiting yet.
    fetching.catch(() => undefined);
    return fetching;
  };
  let ending: Promise<Row[]> | null = null;
  const end = () => {
    const nothing = (): Row[] => [];
    ending ??= client.query('ROLLBACK').then(nothing, nothing);
    return ending;
  };
  try {
    const declaring = execute(client, declare, values, opening(scope));
    let next = fetchNext();
    // In one flight. When the first of them fails, the other says no more than that something had failed before it.
    await declaring;
    for (let rows = await next; rows.length > 0; rows = await next) {
      if (performance.now() > giveUpAt) throw new Error('A caller took too long to read a stream of rows');
      next = rows.length === rowsAtOnce ? fetchNext() : end();
      yield rows;
    }
  } finally {
    await end();
  }
}

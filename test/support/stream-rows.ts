import { type RowWriter, type Statement, statement } from '@keyfront/postgres';
import type { Database } from '../../packages/server/src/database/database.ts';
import type { Scope } from '../../packages/server/src/database/transactions/scope.ts';

/** Writes a list of the first columns, which are JSON. */
class JsonRows implements RowWriter {
  #rows: string[] = [];

  addRow(bytes: Buffer, start: number, end: number): void {
    this.#rows.push(bytes.toString('utf8', start + 4, end));
  }

  take(): Buffer {
    return Buffer.from(`[${this.#rows.splice(0).join(',')}]`);
  }
}

/** Streams the rows of a statement as objects, in batches. */
export async function* streamRows<Row>(
  database: Database,
  scope: Scope,
  { text, ...options }: Statement<Row>,
  values: unknown[] = [],
): AsyncGenerator<Row[]> {
  const rows = statement('', `SELECT row_to_json(streamed) FROM (${text}) AS streamed`, options);
  const query = { statement: rows, values, createWriter: () => new JsonRows() };
  for await (const batch of database.stream(scope, query)) yield JSON.parse(batch.toString());
}

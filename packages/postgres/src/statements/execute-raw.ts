import type pg from 'pg';
import { execute } from './pipelined-query.ts';
import { divertRows, type OnRow } from './row-messages.ts';
import type { Statement } from './statement.ts';

/** Makes bytes of rows. */
export interface RowWriter {
  readonly addRow: OnRow;
  /** Returns what was written since the last call. */
  take(): Buffer;
}

/**
 * Runs a statement, and passes its rows on as they arrive. No objects are made of them, which is most of what a row costs in the
 * driver. Only for a connection on which no other statement returns rows meanwhile. Returns the number of rows.
 */
export async function executeRaw(
  client: pg.ClientBase,
  statement: Statement<unknown>,
  values: unknown[],
  writer: Pick<RowWriter, 'addRow'>,
): Promise<number> {
  let rows = 0;
  let failure: unknown = null;
  const addRow: OnRow = (bytes, start, end) => {
    rows++;
    try {
      if (failure === null) writer.addRow(bytes, start, end);
    } catch (error) {
      failure = error;
    }
  };
  await divertRows(client, addRow, () => execute(client, statement, values));
  if (failure !== null) throw failure;
  return rows;
}

import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { execute } from './pipelined-query.ts';
import type { Statement } from './statement.ts';

/** Makes bytes of rows. */
export interface RowWriter {
  /**
   * Reads one row from the bytes of its message: for each column its length in four bytes, then its text. A null has the length -1
   * and no text.
   */
  addRow(bytes: Buffer, start: number, end: number): void;
  /** Returns what was written since the last call. */
  take(): Buffer;
}

const dataRow = 0x44;
/** The type of a message and its length, and for a row the number of its columns. */
const headBytes = 5;
const rowHeadBytes = 7;

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
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection;
  // The listener of pg. It gets every other message.
  const [parse] = stream.listeners('data') as [(bytes: Buffer) => void];
  let rest: Buffer = Buffer.alloc(0);
  let rows = 0;
  let failure: unknown = null;
  const read = (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (at + headBytes <= bytes.length) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      if (bytes[at] !== dataRow) parse(bytes.subarray(at, end));
      else {
        rows++;
        try {
          if (failure === null) writer.addRow(bytes, at + rowHeadBytes, end);
        } catch (error) {
          failure = error;
        }
      }
      at = end;
    }
    rest = bytes.subarray(at);
  };
  stream.on('data', read).off('data', parse);
  try {
    await execute(client, statement, values);
  } finally {
    stream.on('data', parse).off('data', read);
    if (rest.length > 0) parse(rest);
  }
  if (failure !== null) throw failure;
  return rows;
}

import type { Duplex } from 'node:stream';
import type pg from 'pg';

/** Gets a row as bytes: for each column the length of its text in four bytes, and the text. A null has the length -1 and no text. */
export type OnRow = (bytes: Buffer, start: number, end: number) => void;
type Parse = (bytes: Buffer) => void;

const dataRow = 0x44;
/** The type of a message and its length. */
const headBytes = 5;
/** For a row, also the number of its columns. */
const rowHeadBytes = 7;
/** Node decodes longer texts faster. */
const maxShortText = 128;

/** The part of pg that its published types leave out. */
interface ClientInternals {
  readonly connection: pg.Connection & { readonly stream: Duplex };
}
const rowListeners = new WeakMap<pg.ClientBase, OnRow>();

/**
 * Reads the rows of a client in place of pg, which gets every other message. pg calls native code for each column; one call for
 * each row saves a tenth of the time of a large page (`bench/notes/cost-of-a-request.md`).
 *
 * To be called once, after the client has connected.
 */
export function readRows(client: pg.ClientBase): void {
  const { connection } = client as unknown as ClientInternals;
  const [parse] = connection.stream.listeners('data') as [Parse];
  const emitRow: OnRow = (bytes, start, end) => {
    connection.emit('dataRow', { fields: readFields(bytes, start, end) });
  };
  const onRow: OnRow = (bytes, start, end) => (rowListeners.get(client) ?? emitRow)(bytes, start, end);
  connection.stream.off('data', parse).on('data', splitMessages(parse, onRow));
}

/** Passes the rows of a client that `readRows` reads to this function for a while, as they arrive. Nobody else gets them. */
export async function divertRows<Result>(
  client: pg.ClientBase,
  onRow: OnRow,
  work: () => Promise<Result>,
): Promise<Result> {
  rowListeners.set(client, onRow);
  try {
    return await work();
  } finally {
    rowListeners.delete(client);
  }
}

/** Returns a listener for the bytes that PostgreSQL sends. It passes rows to one function and all other messages to another, in order. */
export function splitMessages(parse: Parse, onRow: OnRow): (chunk: Buffer) => void {
  /** The beginning of a message, and how many bytes are needed to go on. */
  let waiting: Buffer[] = [];
  let missing = 0;
  return (chunk) => {
    waiting.push(chunk);
    missing -= chunk.length;
    if (missing > 0) return;
    const bytes = waiting.length === 1 ? chunk : Buffer.concat(waiting);
    let at = 0;
    let parsed = 0;
    let needed = headBytes;
    while (at + headBytes <= bytes.length) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) {
        needed = end - at;
        break;
      }
      if (bytes[at] === dataRow) {
        if (parsed < at) parse(bytes.subarray(parsed, at));
        onRow(bytes, at + rowHeadBytes, end);
        parsed = end;
      }
      at = end;
    }
    if (parsed < at) parse(bytes.subarray(parsed, at));
    waiting = at < bytes.length ? [bytes.subarray(at)] : [];
    missing = needed - (bytes.length - at);
  };
}

/** Returns the texts of a row. Those in ASCII are parts of one text, which takes one call into native code. */
export function readFields(bytes: Buffer, start: number, end: number): (string | null)[] {
  const row = bytes.toString('latin1', start, end);
  const fields: (string | null)[] = [];
  for (let at = start; at < end; ) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) {
      fields.push(null);
      continue;
    }
    const next = at + length;
    fields.push(
      length <= maxShortText && isAscii(bytes, at, next)
        ? row.slice(at - start, next - start)
        : bytes.toString('utf8', at, next),
    );
    at = next;
  }
  return fields;
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] as number) > 0x7f) return false;
  return true;
}

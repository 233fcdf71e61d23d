import type { RowWriter } from '../statements/execute-raw.ts';
import { toIsoTime } from '../statements/row-reader.ts';
import { isCsvCell, writeCsvText } from './csv-text.ts';

/** What a column holds: a text of somebody else, a time, or what is written as PostgreSQL sends it. */
export type CsvKind = 'text' | 'time' | 'plain';

export const lineEnd = '\r\n';
const lineEndBytes = Buffer.from(lineEnd);
/** Usually more than the lines of one batch. */
const initialBytes = 512 * 1024;

/** Writes rows as CSV lines, from bytes to bytes: a file may have millions. */
export class CsvLines implements RowWriter {
  readonly #kinds: readonly CsvKind[];
  #lines = Buffer.allocUnsafe(initialBytes);
  #length = 0;

  constructor(kinds: readonly CsvKind[]) {
    this.#kinds = kinds;
  }

  addRow(bytes: Buffer, start: number, end: number): void {
    // A column takes three bytes more in the row than as a cell. That is enough for a time and for the end of the line.
    this.#reserve(end - start);
    let at = start;
    for (const kind of this.#kinds) {
      const from = at + 4;
      // A null is an empty cell.
      at = from + Math.max(0, bytes.readInt32BE(at));
      if (kind === 'time') this.#addTime(bytes, from, at);
      else if (kind === 'plain' || isCsvCell(bytes, from, at)) this.#copy(bytes, from, at);
      else {
        const cell = Buffer.from(writeCsvText(bytes.toString('utf8', from, at)));
        this.#reserve(cell.length + 1 + end - at);
        this.#copy(cell, 0, cell.length);
      }
      this.#lines[this.#length++] = 0x2c;
    }
    // In place of the last comma.
    this.#length--;
    this.#copy(lineEndBytes, 0, lineEndBytes.length);
  }

  take(): Buffer {
    const taken = this.#lines.subarray(0, this.#length);
    this.#lines = Buffer.allocUnsafe(initialBytes);
    this.#length = 0;
    return taken;
  }

  #addTime(bytes: Buffer, from: number, to: number): void {
    // The usual form, with three decimal places, is copied and changed.
    if (to - from === 26 && bytes[from + 19] === 0x2e) {
      this.#copy(bytes, from, from + 23);
      this.#lines[this.#length - 13] = 0x54;
      this.#lines[this.#length++] = 0x5a;
    } else this.#length += this.#lines.write(toIsoTime(bytes.toString('latin1', from, to)), this.#length);
  }

  /** A loop, because cells are too short for a call of the runtime. */
  #copy(bytes: Buffer, from: number, to: number): void {
    const lines = this.#lines;
    let length = this.#length;
    for (let at = from; at < to; at++) lines[length++] = bytes[at] as number;
    this.#length = length;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#lines.length) return;
    const larger = Buffer.allocUnsafe(2 * this.#lines.length + count);
    this.#lines.copy(larger, 0, 0, this.#length);
    this.#lines = larger;
  }
}

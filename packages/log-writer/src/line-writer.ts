import { writeSync } from 'node:fs';

/** When more is buffered, it is written at once. */
const flushAtCharacters = 15 * 1024;
/** Too short to notice, and long enough to write many lines with one system call. */
const flushAfterMs = 10;
/** How much waits for a reader that does not keep up. Further lines are dropped. */
const maxWaitingCharacters = 1024 * 1024;
/** How much more waits if it is important: errors, and text that the service prints. */
const reservedCharacters = 256 * 1024;
/** How long a process that exits waits for the reader. */
const exitTimeoutMs = 500;
const exitPollMs = 5;

/**
 * Writes lines without ever waiting for their reader. Lines are buffered for a moment, so that a busy service does not make
 * a system call for each. If the reader stops reading, a bounded number of lines waits for it and the others are dropped
 * and counted. If the output fails, for example on a full disk, its lines are dropped as well.
 */
export class LineWriter {
  readonly #fd: number;
  readonly #format: ((line: string) => string) | undefined;
  #buffered = '';
  /** What the reader has not accepted yet of the last block, in bytes. */
  #unwritten: Buffer | null = null;
  #timer: NodeJS.Timeout | null = null;
  #droppedCount = 0;
  #unreportedCount = 0;
  #hasFailed = false;
  /** Whether the last byte that was written is not the end of a line. */
  #isMidLine = false;
  #drainListeners: (() => void)[] = [];

  /** Writes to the descriptor must return `EAGAIN` instead of waiting. Without a format, lines are written unchanged. */
  constructor(fd: number, format?: (line: string) => string) {
    this.#fd = fd;
    this.#format = format;
  }

  /** The number of lines that were dropped because the reader did not keep up, or because writing failed. */
  countDropped(): number {
    return this.#droppedCount;
  }

  /** Writes a line, or drops it if too much waits already. */
  write(line: string): void {
    if (this.isFull && !(isImportant(line) && this.#hasReserve())) {
      this.#addDropped(1);
      return;
    }
    this.#append(this.#format ? this.#format(line) : line);
  }

  /**
   * Writes text at once and without formatting it, after all lines before it. Uses the reserve if necessary. Bound to the writer,
   * because callers pass it on as a function.
   */
  readonly print = (text: string): void => {
    const lines = `${text}\n`;
    if (this.#hasReserve()) this.#append(lines);
    else this.#addDropped(countLines(lines));
    this.flushSync();
  };

  /** Writes complete lines of another process. They are never dropped: while `isFull`, the caller must not write more. */
  relay(lines: string): void {
    const format = this.#format;
    this.#append(format ? lines.replaceAll(/[^\n]*\n/g, (line) => format(line)) : lines);
  }

  get isFull(): boolean {
    return this.#countWaiting() > maxWaitingCharacters;
  }

  /** Calls the listener once when everything that waits has been written. */
  onceDrained(listener: () => void): void {
    this.#drainListeners.push(listener);
  }

  /** Writes as much as the reader accepts now. pino calls it after a fatal line. */
  flushSync(): void {
    this.#stopTimer();
    while (this.#writeBlock()) {}
    if (this.#unwritten !== null) {
      this.#startTimer();
      return;
    }
    for (const listener of this.#drainListeners.splice(0)) listener();
  }

  /** Writes everything, and waits for the reader for a bounded time. Only for a process that exits. */
  flushBeforeExit(): void {
    const deadline = Date.now() + exitTimeoutMs;
    const clock = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.flushSync();
    while (this.#unwritten !== null && Date.now() < deadline) {
      Atomics.wait(clock, 0, 0, exitPollMs);
      this.flushSync();
    }
    this.#stopTimer();
  }

  #append(text: string): void {
    // While writes fail, the report would be lost like the lines that it reports.
    if (this.#unreportedCount > 0 && !this.#hasFailed) this.#reportDropped();
    this.#buffered += text;
    if (this.#buffered.length > flushAtCharacters && this.#unwritten === null) this.flushSync();
    else this.#startTimer();
  }

  /** Writes the next block. Returns false if there is none, or if the reader does not accept all of it. */
  #writeBlock(): boolean {
    if (this.#unwritten === null) {
      if (this.#buffered === '' && this.#unreportedCount > 0 && !this.#hasFailed) this.#reportDropped();
      if (this.#buffered === '') return false;
      // The rest of the last line was dropped because a write failed.
      this.#unwritten = Buffer.from(this.#isMidLine ? `\n${this.#buffered}` : this.#buffered);
      this.#buffered = '';
    }
    const block = this.#unwritten;
    try {
      const written = writeSync(this.#fd, block);
      this.#hasFailed = false;
      this.#unwritten = written === block.length ? null : block.subarray(written);
      this.#isMidLine = block[written - 1] !== newline;
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
      this.#hasFailed = true;
      this.#unwritten = null;
      this.#addDropped(countLines(block));
      return true;
    }
  }

  #reportDropped(): void {
    const line = formatDropNotice(this.#unreportedCount);
    this.#unreportedCount = 0;
    this.#buffered += this.#format ? this.#format(line) : line;
  }

  #addDropped(count: number): void {
    this.#droppedCount += count;
    this.#unreportedCount += count;
  }

  #countWaiting(): number {
    return this.#buffered.length + (this.#unwritten === null ? 0 : this.#unwritten.length);
  }

  #hasReserve(): boolean {
    return this.#countWaiting() <= maxWaitingCharacters + reservedCharacters;
  }

  #startTimer(): void {
    this.#timer ??= setTimeout(() => this.flushSync(), flushAfterMs).unref();
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

const newline = 10;

/** Formats the line that reports dropped lines, as the logger formats its own. */
function formatDropNotice(count: number): string {
  const message = `${count} log ${count === 1 ? 'line was' : 'lines were'} dropped: the reader of the log did not keep up, or writing failed`;
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'warn', time, pid: process.pid, dropped: count, msg: message })}\n`;
}

/** The level is the first field of each line. */
function isImportant(line: string): boolean {
  return line.startsWith('{"level":"error"') || line.startsWith('{"level":"fatal"');
}

function countLines(text: string | Buffer): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

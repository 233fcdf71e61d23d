import type { Readable, Writable } from 'node:stream';

/** An output stream that may be a terminal. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** An input stream that may be a terminal. */
export interface Input extends Readable {
  readonly isTTY?: boolean;
}

/** Everything a command reads, writes or calls. No command reaches past it, so a test can replace all of it. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Input;
  /** Results only, so that it can be piped. */
  readonly stdout: Output;
  /** Prompts, progress, warnings and errors. */
  readonly stderr: Output;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => Date;
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal;
}

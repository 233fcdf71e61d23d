import type { Readable, Writable } from 'node:stream';

/** A stream that may be a terminal. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Input extends Readable {
  readonly isTTY?: boolean;
}

/** The world around the commands: all that they read, write and ask passes through here. */
export interface Cli {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: Input;
  readonly output: Output;
  /** Prompts, progress and errors, so that the output holds nothing but what was asked for. */
  readonly errors: Output;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => Date;
  /** Fires when the user interrupts. */
  readonly signal: AbortSignal;
}

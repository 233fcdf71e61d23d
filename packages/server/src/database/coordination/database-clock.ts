import { statement } from '@keyfront/postgres';
import type { Database } from '../database.ts';
import { systemScope } from '../transactions/scope.ts';

const readTime = statement<{ nowMs: number }>(
  'clock.read',
  `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`,
);

/** Reads the clock of the primary, in milliseconds since 1970. */
export async function readDatabaseTime(database: Database): Promise<number> {
  const [row] = await database.query(systemScope, readTime);
  if (!row) throw new Error('The database does not tell the time');
  return row.nowMs;
}

/** A larger difference is reported. */
const reportedMs = 5_000;
/** An answer that took longer says too little. */
const maxRoundTripMs = 2_000;

export interface DatabaseClockOptions {
  /** Asks the database for its time, in milliseconds since 1970. */
  readonly read: () => Promise<number>;
  /** Called after each check that finds a difference that an operator must mend. */
  readonly onDifference?: (aheadSeconds: number) => void;
  /** The clock of this machine. */
  readonly now?: () => number;
  /** A clock that nobody sets. */
  readonly elapsed?: () => number;
}

/**
 * The clock of the database, without asking it each time. It decides whether a signature, a message or a token is too old: rows expire
 * by this clock, and that of a machine may be wrong.
 */
export class DatabaseClock {
  readonly #options: Required<Omit<DatabaseClockOptions, 'onDifference'>> & DatabaseClockOptions;
  /** What has to be added to the time that has elapsed. */
  #offsetMs: number;
  #aheadMs = 0;

  constructor(options: DatabaseClockOptions) {
    this.#options = { now: Date.now, elapsed: () => performance.now(), ...options };
    // Until the database was asked.
    this.#offsetMs = this.#options.now() - this.#options.elapsed();
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#options.elapsed() + this.#offsetMs;
  }

  /** How far the clock of this machine is ahead of that of the database. Negative if it is behind. */
  get aheadSeconds(): number {
    return this.#aheadMs / 1_000;
  }

  /** Asks the database for its time. */
  async check(): Promise<void> {
    const { read, now, elapsed, onDifference } = this.#options;
    const sentAt = elapsed();
    const databaseMs = await read();
    const receivedAt = elapsed();
    const roundTripMs = receivedAt - sentAt;
    if (roundTripMs > maxRoundTripMs) return;
    // It was read somewhere in between.
    this.#offsetMs = databaseMs - (sentAt + receivedAt) / 2;
    this.#aheadMs = now() - this.now();
    if (Math.abs(this.#aheadMs) > reportedMs) onDifference?.(this.aheadSeconds);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { closeSession, destroySession, openSession, readServerActivity } from '@keyfront/postgres';
import type pg from 'pg';
import { sendCancelRequest } from '../connection/cancel-on-disconnect.ts';
import { SessionSettingsIgnored } from '../connection/start-failure.ts';

export interface MigrationTiming {
  /** How long a migration waits for a lock on a table. The queries of running instances wait behind it for as long. */
  readonly lockTimeoutMs: number;
  /** How long a migration is attempted again while it does not get its locks. Longer than an export may take. */
  readonly giveUpAfterMs: number;
  /** The deadline of every statement that should take no time. */
  readonly statementTimeoutMs: number;
  /** How often the service checks that PostgreSQL still works on a statement that may take long. */
  readonly watchIntervalMs: number;
}

export const defaultTiming: MigrationTiming = {
  lockTimeoutMs: 100,
  giveUpAfterMs: 20 * 60_000,
  statementTimeoutMs: 10_000,
  watchIntervalMs: 5_000,
};

interface MigrationSessionOptions {
  readonly url: string;
  readonly timing: MigrationTiming;
  readonly signal: AbortSignal | undefined;
}

/**
 * The connection that migrates. Short statements have a deadline. Long ones have none, but are given up when PostgreSQL no
 * longer works on them. An aborted signal ends both at once, and cancels the running statement in the database.
 */
export class MigrationSession {
  readonly #client: pg.Client;
  readonly #options: MigrationSessionOptions;
  #cancelling: Promise<void> | null = null;
  readonly #abort = (): void => {
    this.#cancelling = sendCancelRequest(this.#client);
    destroySession(this.#client);
  };

  static async open(options: MigrationSessionOptions): Promise<MigrationSession> {
    const session = new MigrationSession(await openMigrationClient(options), options);
    try {
      const [setting] = await session.query<{ path: string }>(
        `SELECT current_setting('search_path') AS path`,
      );
      // Without it, the tables would be created in another schema.
      if (setting?.path !== schema) throw new SessionSettingsIgnored();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  private constructor(client: pg.Client, options: MigrationSessionOptions) {
    this.#client = client;
    this.#options = options;
    options.signal?.addEventListener('abort', this.#abort);
    if (options.signal?.aborted) this.#abort();
  }

  get timing(): MigrationTiming {
    return this.#options.timing;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** Runs a statement that should take no time. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#client.query<Row>(text, values)).rows;
  }

  /** Runs statements that may take long, such as those of a migration. */
  async runLong(text: string): Promise<void> {
    const finished = new AbortController();
    const watching = this.#watch(finished.signal);
    try {
      // 0 would mean the default of the client.
      await this.#client.query({ text, query_timeout: maxTimeoutMs } as pg.QueryConfig);
    } finally {
      finished.abort();
      await watching;
    }
  }

  async close(): Promise<void> {
    this.signal?.removeEventListener('abort', this.#abort);
    await this.#cancelling;
    await closeSession(this.#client);
  }

  /** Destroys the session once PostgreSQL was twice not seen at work on it, or could not be asked. */
  async #watch(finished: AbortSignal): Promise<void> {
    for (let misses = 0; misses < 2; ) {
      try {
        await delay(this.timing.watchIntervalMs, undefined, { signal: finished });
      } catch {
        return;
      }
      misses = (await this.#isAtWork(finished)) ? 0 : misses + 1;
      if (finished.aborted) return;
    }
    destroySession(this.#client);
  }

  async #isAtWork(finished: AbortSignal): Promise<boolean> {
    const { processID } = this.#client as unknown as { readonly processID: number };
    const activity = await readServerActivity({
      url: this.#options.url,
      applicationName: 'keyfront migration watch',
      processIds: [processID],
      timeoutMs: this.timing.statementTimeoutMs,
      signal: finished,
    });
    if (activity === 'unreachable') return false;
    return activity === 'unknown' || activity.get(processID) === 'active';
  }
}

const schema = 'keyfront';
/** The longest time of a timer. */
const maxTimeoutMs = 2 ** 31 - 1;

function openMigrationClient({ url, timing, signal }: MigrationSessionOptions): Promise<pg.Client> {
  return openSession({
    url,
    applicationName: 'keyfront migration',
    settings: {
      search_path: schema,
      client_min_messages: 'warning',
      lock_timeout: timing.lockTimeoutMs,
      // A server may have a default that is too short for a migration.
      statement_timeout: 0,
      idle_in_transaction_session_timeout: 0,
    },
    connectTimeoutMs: timing.statementTimeoutMs,
    queryTimeoutMs: timing.statementTimeoutMs,
    signal,
  });
}

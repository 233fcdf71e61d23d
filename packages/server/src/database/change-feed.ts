import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { withSessionSettings } from './connection-url.ts';
import type { Database } from './database.ts';
import { serviceRole } from './roles.ts';
import { systemScope } from './scope.ts';
import { statement } from './statement.ts';

export interface ChangeFeedOptions {
  readonly url: string;
  /** The listening connection broke; until it is back, nothing is trusted. */
  readonly onLost?: (error: unknown) => void;
}

/** What the database tells of: credentials that are no longer good, and a catalogue that has changed. */
const channels = { keys: 'keyfront_key_changes', catalogue: 'keyfront_catalogue_changes' } as const;
export type ChangeTopic = keyof typeof channels;

// The first half of the advisory locks; any number does that nothing else in the database uses.
const lockClass = 1_801_812_326;
const beatMs = 1_000;
/** How long after its last sign of life a process still trusts what it remembers. */
const trustMs = 3_000;
/** Longer than any process trusts its memory without a sign of life, so that waiting this long is always enough. */
const longestWaitMs = 5_000;
const longestPauseMs = 5_000;

/**
 * Lets a process remember what the database said until it has changed, and lets another be sure that a credential is
 * forgotten. One connection listens for both.
 *
 * Changes of credentials are numbered in the order of their commits. A process holds, on the connection on which it
 * listens, a shared advisory lock with the number of the last change it has heard of and forgotten for. Whoever made a
 * change waits until nobody holds a lower number. A process that has died holds none. One whose connection hangs gets no
 * sign of life from the database, and has stopped trusting itself before the wait is over.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #forgetters: Record<ChangeTopic, (() => void)[]> = { keys: [], catalogue: [] };
  #client: pg.Client | null = null;
  #isListening = false;
  #lastBeat = Number.NEGATIVE_INFINITY;
  #heard = 0;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = 50;
  #lastStatement: Promise<unknown> = Promise.resolve();

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** Has everything about the topic forgotten whenever it has changed, or may have without this process knowing. */
  onChange(topic: ChangeTopic, forget: () => void): void {
    this.#forgetters[topic].push(forget);
  }

  /** Whether what was remembered since the last change still holds. Cheap: asked for every request. */
  get isTrusted(): boolean {
    return this.#isListening && performance.now() - this.#lastBeat < trustMs;
  }

  /** Begins to listen. A database that is away is tried again by itself; nothing is trusted meanwhile. */
  async start(): Promise<void> {
    const client = openSession(this.#options.url);
    this.#client = client;
    this.#heard = 0;
    this.#lastStatement = Promise.resolve();
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('The connection ended')));
    client.on('notification', ({ channel, payload }) => {
      if (channel === channels.catalogue) return this.#forget('catalogue');
      this.#forget('keys');
      void this.#acknowledge(client, Number(payload));
    });
    try {
      const began = performance.now();
      await client.connect();
      await this.#run(client, `SELECT pg_advisory_lock_shared(${lockClass}, 0)`);
      for (const channel of Object.values(channels)) await this.#run(client, `LISTEN ${channel}`);
      // A change of its own: when it comes back, every earlier one has been heard of.
      await this.#run(client, 'SELECT announce_key_change()');
      if (this.#client !== client || this.#isClosed) return;
      this.#forget('keys');
      this.#forget('catalogue');
      this.#lastBeat = began;
      this.#isListening = true;
      this.#pauseMs = 50;
      this.#scheduleBeat(client);
    } catch (error) {
      this.#lose(client, error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isListening = false;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  #forget(topic: ChangeTopic): void {
    for (const forget of this.#forgetters[topic]) forget();
  }

  /** Every credential has been forgotten up to this change. */
  async #acknowledge(client: pg.Client, change: number): Promise<void> {
    const before = this.#heard;
    if (change <= before) return;
    this.#heard = change;
    try {
      await this.#run(client, `SELECT pg_advisory_lock_shared(${lockClass}, $1)`, [change]);
      await this.#run(client, `SELECT pg_advisory_unlock_shared(${lockClass}, $1)`, [before]);
    } catch (error) {
      this.#lose(client, error);
    }
  }

  /** One statement after the other: a beat may fall due while a change is being acknowledged. */
  #run(client: pg.Client, text: string, values: unknown[] = []): Promise<unknown> {
    const result = this.#lastStatement.then(() => client.query(text, values));
    this.#lastStatement = result.catch(() => undefined);
    return result;
  }

  #scheduleBeat(client: pg.Client): void {
    if (this.#isClosed || this.#client !== client) return;
    this.#timer = setTimeout(async () => {
      const began = performance.now();
      try {
        // Changes that were committed before it are delivered before its answer.
        await this.#run(client, 'SELECT');
        this.#lastBeat = began;
        this.#scheduleBeat(client);
      } catch (error) {
        this.#lose(client, error);
      }
    }, beatMs);
    this.#timer.unref();
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#isListening = false;
    clearTimeout(this.#timer);
    void client.end().catch(() => undefined);
    if (this.#isClosed) return;
    this.#options.onLost?.(error);
    this.#timer = setTimeout(() => void this.start(), this.#pauseMs);
    this.#timer.unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }
}

const stillRemembering = statement<{ isRemembered: boolean }>(
  'changes.still-remembering',
  `SELECT EXISTS (
     SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${lockClass} AND objsubid = 2
       AND objid::bigint < $1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
   ) AS "isRemembered"`,
);

/** Waits until every process has forgotten what it knew before a change that is committed already. */
export async function waitUntilForgotten(database: Database, change: number): Promise<void> {
  const giveUpAt = performance.now() + longestWaitMs;
  for (let pauseMs = 2; performance.now() < giveUpAt; pauseMs = Math.min(pauseMs * 2, 50)) {
    const [row] = await database.query(systemScope, stillRemembering, [change]);
    if (!row?.isRemembered) return;
    await delay(pauseMs);
  }
}

function openSession(url: string): pg.Client {
  return new pg.Client({
    connectionString: withSessionSettings(url, { role: serviceRole, search_path: 'keyfront' }),
    application_name: 'keyfront changes',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
}

import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { acceptsWrites, closeSession, openSession, statement } from '@keyfront/postgres';
import type pg from 'pg';
import { holderRole } from '../connection/role-names.ts';
import type { Database } from '../database.ts';
import { systemScope } from '../transactions/scope.ts';
import { endLeases, listVanished, selectLocks, takeLease, VanishedLeases } from './cache-leases.ts';

export interface ChangeFeedOptions {
  /** Leads to PostgreSQL itself, because a connection pooler passes no notifications on. May name several servers. */
  readonly url: string;
  /** Called when the listening connection is lost. Caches are not trusted until it is back. */
  readonly onLost?: (error: unknown) => void;
  readonly timing?: FeedTiming;
}

export interface FeedTiming {
  readonly heartbeatMs: number;
  /**
   * How long a process trusts its caches after the last heartbeat, the same for all processes. It is also the deadline of a heartbeat: a
   * connection that misses it is replaced.
   */
  readonly trustMs: number;
}

const defaultTiming: FeedTiming = { heartbeatMs: 1_000, trustMs: 3_000 };

/** The notification channels: changes of API keys, ends of sessions, and changes of the catalogue. */
const channels = {
  keys: 'keyfront_key_changes',
  sessions: 'keyfront_session_changes',
  catalogue: 'keyfront_catalogue_changes',
} as const;
export type ChangeTopic = keyof typeof channels;

// The first key of the advisory locks: an arbitrary number that nothing else in the database uses.
const lockClass = 1_801_812_326;
/** Longer than `trustMs`: after this time no process trusts what it cached before the change. */
const acknowledgementTimeoutMs = 5_000;
const closeTimeoutMs = 1_000;
const minReconnectPauseMs = 50;
const maxReconnectPauseMs = 5_000;

/**
 * Keeps the caches of a process valid: it clears them when the database announces a change, and lets the process that made a
 * change wait until every other process has cleared its caches. One connection listens for all topics.
 *
 * Changes of API keys and ends of sessions are numbered in the order of their commits. On its listening connection each process holds a shared
 * advisory lock with the number of the last change that it has acknowledged, that is, for which it has cleared its cache. The
 * process that made a change waits until no process holds a lower number. A process whose connection hangs gets no heartbeat, stops
 * trusting its caches before the wait times out, and replaces the connection.
 *
 * A session that has ended holds no lock, but its process may not know that it has ended. So each session has a lease, see
 * `cache-leases.ts`. The wait includes leases without a session until they are over, which the heartbeats of all processes notice.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #timing: FeedTiming;
  readonly #listeners: Record<ChangeTopic, (() => void)[]> = { keys: [], sessions: [], catalogue: [] };
  #client: pg.Client | null = null;
  #isListening = false;
  #lastHeartbeat = Number.NEGATIVE_INFINITY;
  #acknowledged = 0;
  /** That of the present session, or of the one before. */
  #leaseId: number | null = null;
  readonly #vanished: VanishedLeases;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #reconnectPauseMs = minReconnectPauseMs;
  #lastStatement: Promise<unknown> = Promise.resolve();

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#timing = options.timing ?? defaultTiming;
    this.#vanished = new VanishedLeases(this.#timing.trustMs);
  }

  /** Calls the listener when the topic has changed, or may have changed while this process was not listening. */
  onChange(topic: ChangeTopic, clearCache: () => void): void {
    this.#listeners[topic].push(clearCache);
  }

  /** Whether what was cached since the last change is still valid. Checked for every request, so it must be cheap. */
  get isTrusted(): boolean {
    return this.#isListening && performance.now() - this.#lastHeartbeat < this.#timing.trustMs;
  }

  /** Starts listening. If the database is unavailable, it keeps trying, and caches are not trusted meanwhile. */
  async start(): Promise<void> {
    const startedAt = performance.now();
    let client: pg.Client;
    try {
      client = await this.#openSession();
    } catch (error) {
      return this.#reconnect(null, error);
    }
    if (this.#closing.signal.aborted) return closeSession(client);
    this.#client = client;
    this.#acknowledged = 0;
    this.#lastStatement = Promise.resolve();
    client.on('error', (error) => this.#reconnect(client, error));
    client.on('end', () => this.#reconnect(client, new Error('The connection ended')));
    client.on('notification', ({ channel, payload }) => {
      if (channel === channels.catalogue) return this.#notify('catalogue');
      const change = Number(payload);
      this.#notify(channel === channels.sessions ? 'sessions' : 'keys');
      void this.#acknowledge(client, change);
    });
    try {
      await this.#run(client, `SELECT pg_advisory_lock_shared(${lockClass}, 0)`);
      const [lease] = await this.#run<{ id: number }>(client, takeLease, [this.#leaseId]);
      this.#leaseId = lease?.id ?? null;
      for (const channel of Object.values(channels)) await this.#run(client, `LISTEN ${channel}`);
      // Announces a change of its own. Its notification arrives after those of all earlier changes.
      await this.#run(client, 'SELECT announce_key_change()');
      if (this.#client !== client || this.#closing.signal.aborted) return;
      for (const topic of Object.keys(channels) as ChangeTopic[]) this.#notify(topic);
      this.#lastHeartbeat = startedAt;
      this.#isListening = true;
      this.#reconnectPauseMs = minReconnectPauseMs;
      this.#scheduleHeartbeat(client);
    } catch (error) {
      this.#reconnect(client, error);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#isListening = false;
    clearTimeout(this.#timer);
    if (!this.#client) return;
    // Otherwise the next revocation would wait for it.
    const ending = this.#run(this.#client, endLeases, [[this.#leaseId]]).catch(() => undefined);
    await Promise.race([ending, delay(closeTimeoutMs, undefined, { ref: false })]);
    await closeSession(this.#client);
  }

  #openSession(): Promise<pg.Client> {
    return openSession({
      url: this.#options.url,
      applicationName: 'keyfront changes',
      settings: { role: holderRole, search_path: 'keyfront' },
      queryTimeoutMs: this.#timing.trustMs,
      signal: this.#closing.signal,
    });
  }

  #notify(topic: ChangeTopic): void {
    for (const clearCache of this.#listeners[topic]) clearCache();
  }

  /** Publishes, by its locks, that this process has cleared its cache for all changes up to this one. */
  async #acknowledge(client: pg.Client, change: number): Promise<void> {
    const previous = this.#acknowledged;
    if (change <= previous) return;
    this.#acknowledged = change;
    try {
      await this.#run(client, `SELECT pg_advisory_lock_shared(${lockClass}, $1)`, [change]);
      await this.#run(client, `SELECT pg_advisory_unlock_shared(${lockClass}, $1)`, [previous]);
    } catch (error) {
      this.#reconnect(client, error);
    }
  }

  /** Runs statements one after the other. A heartbeat may be due while a change is being acknowledged. */
  #run<Row extends pg.QueryResultRow>(
    client: pg.Client,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    const result = this.#lastStatement.then(() => client.query<Row>(text, values));
    this.#lastStatement = result.catch(() => undefined);
    return result.then(({ rows }) => rows);
  }

  #scheduleHeartbeat(client: pg.Client): void {
    if (this.#closing.signal.aborted || this.#client !== client) return;
    this.#timer = setTimeout(async () => {
      const startedAt = performance.now();
      try {
        // PostgreSQL delivers notifications of earlier commits before the result.
        const vanished = await this.#run<{ id: number }>(client, listVanished);
        if (!acceptsWrites(client))
          throw new Error('The server accepts no writes, so it announces no changes');
        this.#lastHeartbeat = startedAt;
        const ids = vanished.map(({ id }) => id);
        const over = this.#vanished.findOver(ids, performance.now());
        if (over.length > 0) await this.#run(client, endLeases, [over]);
        this.#scheduleHeartbeat(client);
      } catch (error) {
        this.#reconnect(client, error);
      }
    }, this.#timing.heartbeatMs);
    this.#timer.unref();
  }

  #reconnect(client: pg.Client | null, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#isListening = false;
    clearTimeout(this.#timer);
    if (client) void closeSession(client);
    if (this.#closing.signal.aborted) return;
    this.#options.onLost?.(error);
    this.#timer = setTimeout(() => void this.start(), this.#reconnectPauseMs);
    this.#timer.unref();
    this.#reconnectPauseMs = Math.min(this.#reconnectPauseMs * 2, maxReconnectPauseMs);
  }
}

const findUnacknowledged = statement<{ isUnacknowledged: boolean }>(
  'changes.unacknowledged',
  `SELECT EXISTS (SELECT FROM (${selectLocks(lockClass)}) AS acknowledged WHERE number < $1) OR EXISTS (${listVanished})
   AS "isUnacknowledged"`,
);

/** Waits until every process has cleared its cache for a committed change, or no longer trusts it. */
export async function waitUntilAcknowledged(
  database: Database,
  change: number,
  timeoutMs = acknowledgementTimeoutMs,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = 2; performance.now() < deadline; pauseMs = Math.min(pauseMs * 2, 50)) {
    const [row] = await database.query(systemScope, findUnacknowledged, [change]);
    if (!row?.isUnacknowledged) return;
    await delay(pauseMs);
  }
}

const lastChange = statement<{ change: number }>(
  'changes.last',
  'SELECT last_value AS change FROM key_changes',
);

/** Waits until every process has noticed all changes of keys and sessions that are committed now. */
export async function waitForCommittedChanges(database: Database): Promise<void> {
  const [last] = await database.query(systemScope, lastChange);
  if (last) await waitUntilAcknowledged(database, last.change);
}

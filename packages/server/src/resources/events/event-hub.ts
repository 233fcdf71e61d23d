import { setTimeout as delay } from 'node:timers/promises';
import type { Event, EventType } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { systemScope } from '../../database/transactions/scope.ts';
import type { DescribeEvents } from './describe-events.ts';
import { type EventPosition, formatEventId } from './event-id.ts';
import { type EventRow, findLastPosition, listAllEvents } from './event-queries.ts';

/** What a subscriber receives. */
export interface Subscription {
  readonly tokenId: number;
  readonly holderId: string;
  /** Null: all types. */
  readonly types: ReadonlySet<EventType> | null;
  /** Called for each new event, in order. Must not throw. */
  readonly receive: (event: Event, position: EventPosition) => void;
}

export interface EventHubOptions {
  readonly database: Database;
  readonly describe: DescribeEvents;
  /** Called when the log cannot be read. The hub keeps trying. */
  readonly onError: (error: unknown) => void;
  readonly pollMs?: number;
}

/**
 * How often the log is read while it has subscribers. A notification by each writer would be quicker, but a transaction that notifies
 * holds a lock of the whole server while it commits, and orders would wait for each other there.
 */
const defaultPollMs = 100;
const longestPauseMs = 5_000;
const batchSize = 500;

/**
 * Reads the log once for all subscribers of the process, and passes each event on to those that may see it. It reads only while there
 * are subscribers.
 */
export class EventHub {
  readonly #options: EventHubOptions;
  readonly #subscriptions = new Map<number, Set<Subscription>>();
  readonly #closing = new AbortController();
  #count = 0;
  #started: Promise<void> | null = null;
  #position: EventPosition | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(options: EventHubOptions) {
    this.#options = options;
  }

  /** Aborted when the process shuts down. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** The position up to which every subscriber has received its events. Null if the hub is not reading. */
  get position(): EventPosition | null {
    return this.#position;
  }

  get subscribers(): number {
    return this.#count;
  }

  /**
   * Calls `receive` for every event that becomes readable from now on, until the returned function is called. Rejects if the log cannot
   * be read.
   */
  async subscribe(subscription: Subscription): Promise<() => void> {
    const { tokenId } = subscription;
    const subscriptions = this.#subscriptions.get(tokenId) ?? new Set();
    subscriptions.add(subscription);
    this.#subscriptions.set(tokenId, subscriptions);
    this.#count += 1;
    const unsubscribe = () => {
      if (!subscriptions.delete(subscription)) return;
      this.#count -= 1;
      if (subscriptions.size === 0 && this.#subscriptions.get(tokenId) === subscriptions)
        this.#subscriptions.delete(tokenId);
    };
    this.#started ??= this.#start();
    const started = this.#started;
    try {
      await started;
    } catch (error) {
      unsubscribe();
      // Another subscriber may have started the hub again. It must never read twice at a time: each reading has a position of its own.
      if (this.#started === started) this.#started = null;
      throw error;
    }
    return unsubscribe;
  }

  /** Ends all subscriptions. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#reading;
  }

  async #start(): Promise<void> {
    this.#reading = this.#read(await findLastPosition(this.#options.database));
  }

  async #read(start: EventPosition): Promise<void> {
    const { database, pollMs = defaultPollMs, onError } = this.#options;
    let position = start;
    this.#position = start;
    let pauseMs = pollMs;
    while (this.#count > 0 && !this.#closing.signal.aborted) {
      try {
        const rows = await listAllEvents(database, position, batchSize);
        await this.#pass(rows);
        position = rows.at(-1) ?? position;
        this.#position = position;
        if (rows.length === batchSize) continue;
        pauseMs = pollMs;
      } catch (error) {
        if (pauseMs === pollMs) onError(error);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
      await delay(pauseMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
    // The next subscriber starts again.
    this.#position = null;
    this.#started = null;
  }

  async #pass(rows: readonly EventRow[]): Promise<void> {
    const { database, describe } = this.#options;
    const wanted = rows.filter((row) => this.#findReceivers(row).length > 0);
    if (wanted.length === 0) return;
    const events = await describe(database.within(systemScope), wanted);
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const row of wanted) {
      const event = byId.get(formatEventId(row, row.createdAt));
      if (!event) continue;
      for (const { receive } of this.#findReceivers(row)) receive(event, row);
    }
  }

  #findReceivers({ tokenId, holderId, type }: EventRow): Subscription[] {
    const candidates =
      tokenId === null
        ? [...this.#subscriptions.values()].flatMap((each) => [...each])
        : [...(this.#subscriptions.get(tokenId) ?? [])];
    return candidates.filter(
      (each) =>
        (holderId === null || holderId === each.holderId) && (each.types === null || each.types.has(type)),
    );
  }
}

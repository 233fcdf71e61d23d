import type { Event, EventStreamQuery } from '@keyfront/protocol';
import { textPatterns } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import { validationFailed } from '../../lib/errors/api-error.ts';
import type { EventHub } from './event-hub.ts';
import { type EventPosition, formatEventId, isAfterPosition } from './event-id.ts';
import { findLastPosition, listEvents } from './event-queries.ts';
import { type EventLog, readAfter, readEventTypes, requireReached } from './event-rules.ts';

export interface StreamDependencies extends EventLog {
  readonly hub: EventHub;
  /**
   * How often the credential of the caller is checked, and a comment shows that the connection is alive if no event
   * does. The default is 15 seconds.
   */
  readonly heartbeatMs?: number;
  /** After this time the stream ends and the client connects again, with a credential that is valid then. */
  readonly maxDurationMs?: number;
}

export interface StreamRequest {
  readonly scope: HolderScope;
  /** Whether a request with the credential of the caller would still be accepted. */
  readonly isStillAuthorized: () => Promise<boolean>;
  readonly signatureEndsAtMs: number | undefined;
  readonly query: EventStreamQuery;
  readonly lastEventId: string | undefined;
}

const defaultHeartbeatMs = 15_000;
const defaultMaxDurationMs = 3_600_000;
const pageSize = 100;
/**
 * What a reader may have pending beyond the buffers of its connection. A slower one is disconnected, and continues after
 * its last id.
 */
const maxPendingBytes = 1024 * 1024;
const eventIdForm = new RegExp(textPatterns.eventId.pattern);

/**
 * Yields Server-Sent Events: those after the last id, then new ones as they come, and a comment when there are none.
 * Ends when the service shuts down or the reader is too slow. Also ends when the caller may no longer read the events, or
 * the signature of the request expires. A client that connects again with its last id misses nothing.
 */
export async function* streamEvents(
  database: Database,
  { scope, isStillAuthorized, signatureEndsAtMs, query, lastEventId }: StreamRequest,
  dependencies: StreamDependencies,
): AsyncGenerator<string> {
  const { hub, describe, retentionMs } = dependencies;
  const { heartbeatMs = defaultHeartbeatMs, maxDurationMs = defaultMaxDurationMs } = dependencies;
  if (lastEventId !== undefined && !eventIdForm.test(lastEventId))
    throw validationFailed([`Last-Event-ID ${textPatterns.eventId.issue}`]);
  const after = lastEventId ?? query.after;
  const keptSince = new Date(Date.now() - retentionMs);
  const types = readEventTypes(query.type);
  let position = after === undefined ? await findLastPosition(database) : readAfter(after, keptSince);
  if (after !== undefined) await requireReached(database.within(scope), position);
  // A client that is cut off before the first event continues here as well.
  yield `: Keyfront events\nretry: 1000\n${formatPosition(position)}`;

  const endsAt = Math.min(Date.now() + maxDurationMs, signatureEndsAtMs ?? Number.POSITIVE_INFINITY);
  let checkAt = Date.now() + heartbeatMs;
  const checkAuthorization = async (): Promise<boolean> => {
    const isAuthorized = await isStillAuthorized();
    checkAt = Date.now() + heartbeatMs;
    return isAuthorized;
  };

  /** Yields what the log has after the position. Returns whether the caller may read on. */
  const readLog = async function* (): AsyncGenerator<string, boolean> {
    for (let isFull = true; isFull; ) {
      // A slow reader may take long for each page.
      if (Date.now() >= endsAt) return false;
      if (Date.now() >= checkAt && !(await checkAuthorization())) return false;
      const { rows, events } = await database.transaction(scope, async (tx) => {
        const rows = await listEvents(tx, scope, position, { types, keptSince }, pageSize);
        return { rows, events: await describe(tx, rows) };
      });
      position = rows.at(-1) ?? position;
      yield* events.map(formatEvent);
      isFull = rows.length === pageSize;
    }
    return true;
  };
  if (!(yield* readLog())) return;
  const pending = new PendingEvents();
  const unsubscribe = await hub.subscribe({
    tokenId: scope.tokenId,
    holderId: scope.holderId,
    types: types && new Set(types),
    receive: (event, at) => pending.add(event, at),
  });
  const end = () => pending.end();
  hub.closing.addEventListener('abort', end);
  // At once and not with the next comment: a client that connects again would find its place taken.
  const forgetConnection = scope.clientConnection?.onClose(end);
  try {
    // Those that became readable between the last page and the subscription. The hub may have some of them too.
    if (!(yield* readLog())) return;
    while (!hub.closing.aborted && Date.now() < endsAt) {
      const next = await pending.take(Math.min(checkAt, endsAt) - Date.now());
      if (next === 'ended' || Date.now() >= endsAt) return;
      // Also while events come so fast that there is no comment between them.
      if ((next === null || Date.now() >= checkAt) && !(await checkAuthorization())) return;
      if (next === null) {
        // While nothing is pending, everything up to the position of the hub has been sent or was filtered out. An event that has come
        // during the check is pending.
        if (pending.isEmpty && hub.position && isAfterPosition(hub.position, position))
          position = hub.position;
        yield `: alive\n${formatPosition(position)}`;
        continue;
      }
      if (isAfterPosition(next.position, position)) {
        position = next.position;
        yield next.text;
      }
    }
  } finally {
    hub.closing.removeEventListener('abort', end);
    forgetConnection?.();
    unsubscribe();
  }
}

function formatEvent(event: Event): string {
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** An id without data: browsers remember it for `Last-Event-ID`, and report no event. */
function formatPosition(position: EventPosition): string {
  return `id: ${formatEventId(position, new Date().toISOString())}\n\n`;
}

interface PendingEvent {
  readonly text: string;
  readonly position: EventPosition;
}

/** Events that the reader has not taken yet. Ends when there are too many. */
class PendingEvents {
  readonly #events: PendingEvent[] = [];
  #bytes = 0;
  #isEnded = false;
  #wake: () => void = () => undefined;

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  add(event: Event, position: EventPosition): void {
    if (this.#isEnded) return;
    const text = formatEvent(event);
    this.#bytes += text.length;
    this.#events.push({ text, position });
    if (this.#bytes > maxPendingBytes) this.end();
    else this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#events.length = 0;
    this.#wake();
  }

  /** Returns the next event, or null if there is none within this time. */
  async take(timeoutMs: number): Promise<PendingEvent | 'ended' | null> {
    if (this.#events.length === 0 && !this.#isEnded) await this.#wait(timeoutMs);
    if (this.#isEnded) return 'ended';
    const next = this.#events.shift();
    if (next) this.#bytes -= next.text.length;
    return next ?? null;
  }

  #wait(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

import {
  type Event,
  type EventListQuery,
  type EventPage,
  type EventType,
  eventTakeOf,
  eventTypes,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { type HolderScope, systemScope } from '../../database/transactions/scope.ts';
import type { RunStatement } from '../../database/transactions/transaction.ts';
import { ApiError, notInScope, validationFailed } from '../../lib/errors/api-error.ts';
import type { DescribeEvents } from './describe-events.ts';
import { type EventPosition, endPosition, firstPosition, formatEventId, parseEventId } from './event-id.ts';
import {
  type EventReference,
  eventExists,
  findEvent,
  isPositionReached,
  listEvents,
  listEventsAt,
  listEventsBefore,
} from './event-queries.ts';

export { isPositionReached, readWaitingSeconds } from './event-queries.ts';

/** What the rules of events need beside the database. */
export interface EventLog {
  readonly describe: DescribeEvents;
  readonly retentionMs: number;
}

/** Gets the events after the given one, oldest first, or those before it, newest first. */
export async function getEventPage(
  database: Database,
  scope: HolderScope,
  query: EventListQuery,
  { describe, retentionMs }: EventLog,
): Promise<EventPage> {
  const take = eventTakeOf(query);
  const keptSince = new Date(Date.now() - retentionMs);
  const isNewestFirst = readDirection(query) === 'desc';
  const start = isNewestFirst ? query.before : query.after;
  const position = isNewestFirst ? readBefore(start) : readAfter(start, keptSince);
  const filter = { types: readEventTypes(query.type), keptSince };
  const list = isNewestFirst ? listEventsBefore : listEvents;
  // In a transaction, so that all reads of one page take one connection.
  return database.transaction(scope, async (tx) => {
    // One round trip.
    const [rows] = await Promise.all([
      list(tx, scope, position, filter, take + 1),
      ...(start === undefined ? [] : [requireReached(tx, position)]),
    ]);
    const page = rows.slice(0, take);
    const [first, last] = [page.at(0), page.at(-1)].map((row) => row && formatEventId(row, row.createdAt));
    const hasMore = rows.length > take;
    const events = await describe(tx, page);
    return isNewestFirst
      ? { events, hasMore, nextAfter: first ?? null, nextBefore: hasMore ? (last ?? null) : null }
      : { events, hasMore, nextAfter: last ?? query.after ?? null };
  });
}

/** Reads the order of a list. Throws the 400 for a position that belongs to the other one. */
function readDirection({ after, before, orderBy }: EventListQuery): 'asc' | 'desc' {
  if (orderBy !== 'desc') {
    if (before !== undefined) throw validationFailed(['before must come with orderBy=desc']);
    return 'asc';
  }
  if (after !== undefined) throw validationFailed(['after must not come with orderBy=desc: pass before']);
  return 'desc';
}

/** Gets an event, or throws the 404 or 403. */
export async function getEvent(
  database: Database,
  scope: HolderScope,
  eventId: string,
  { describe }: Pick<EventLog, 'describe'>,
): Promise<Event> {
  const { createdAtMs, ...position } = parseEventId(eventId);
  const createdAt = new Date(createdAtMs);
  const row = await findEvent(database, scope, position, createdAt);
  if (!row) throw notInScope('Event', await eventExists(database, position, createdAt));
  const [event] = await describe(database.within(scope), [row]);
  if (!event) throw notInScope('Event', false);
  return event;
}

/** Gets events of any digital key by their ids, for their delivery. Those that are no longer kept are left out. */
export async function getEventsAt(
  database: Database,
  describe: DescribeEvents,
  wanted: readonly EventReference[],
): Promise<Map<string, Event>> {
  if (wanted.length === 0) return new Map();
  const events = await describe(database.within(systemScope), await listEventsAt(database, wanted));
  return new Map(events.map((event) => [event.id, event]));
}

/** Reads the position that a list or stream continues after. Throws the 404 if events after it may have been deleted. */
export function readAfter(after: string | undefined, keptSince: Date): EventPosition {
  if (after === undefined) return firstPosition;
  const { createdAtMs, ...position } = parseEventId(after);
  if (createdAtMs < keptSince.getTime()) throw new ApiError('EVENTS_EXPIRED');
  return position;
}

/** Reads the position that a list goes back from. It may be older than the events that are kept: the list ends there. */
function readBefore(before: string | undefined): EventPosition {
  return before === undefined ? endPosition : parseEventId(before);
}

/**
 * Throws the 404 for a position that this database has not reached: it is of another one, or of one that was restored to an earlier moment.
 * Otherwise its reader would wait in silence until the numbers get there, and miss all events before that.
 */
export async function requireReached(tx: RunStatement, position: EventPosition): Promise<void> {
  if (!(await isPositionReached(tx, position))) throw new ApiError('EVENT_POSITION_UNKNOWN');
}

/** Finds the position before the first event since this time. Null: there is none. */
export async function findPositionBefore(
  tx: RunStatement,
  scope: HolderScope,
  since: Date,
): Promise<EventPosition | null> {
  const [first] = await listEvents(tx, scope, firstPosition, { types: null, keptSince: since }, 1);
  return first
    ? { transactionNumber: first.transactionNumber, sequenceNumber: first.sequenceNumber - 1 }
    : null;
}

/** Reads a list of types such as `order.*,payment.paid`. Null: all types. Throws the 400 for a type that does not exist. */
export function readEventTypes(filter: string | undefined): EventType[] | null {
  if (filter === undefined || filter === '') return null;
  const issues: string[] = [];
  const selected = new Set<EventType>();
  for (const pattern of filter.split(',').map((each) => each.trim())) {
    const matching = eventTypes.filter((type) => matchesPattern(type, pattern));
    if (matching.length === 0)
      issues.push(`type must be a type of event such as order.created or order.*, not ${pattern}`);
    for (const type of matching) selected.add(type);
  }
  if (issues.length > 0) throw validationFailed(issues);
  return [...selected];
}

/** Whether a type of event, or a pattern such as `order.*`, stands for any type. */
export function isEventPattern(pattern: string): boolean {
  return eventTypes.some((type) => matchesPattern(type, pattern));
}

/** Whether a type is the one that the pattern names, or begins with what stands before its `*`. */
function matchesPattern(type: string, pattern: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

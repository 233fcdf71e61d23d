import { statement } from '@keyfront/postgres';
import type { EventType } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { eventHorizon, readEventHorizon } from '../../database/queries/event-horizon.ts';
import { opaqueToPlanner } from '../../database/queries/opaque-to-planner.ts';
import { query } from '../../database/queries/query.ts';
import { type HolderScope, systemScope } from '../../database/transactions/scope.ts';
import { type EventPosition, firstPosition } from './event-id.ts';

/** A row of the log. */
export interface EventRow extends EventPosition {
  readonly createdAt: string;
  /** Null: for every digital key. */
  readonly tokenId: number | null;
  /** Only this holder may read the event. Null: whoever acts for the digital key. */
  readonly holderId: string | null;
  readonly type: EventType;
  /** JSON. What a resource was at that moment, and before an update. */
  readonly snapshot: string;
  readonly earlierSnapshot: string | null;
  /** Whether the medical record of a client has changed, which no snapshot contains. */
  readonly changesMedicalRecord: boolean;
}

const columns = `transaction_number AS "transactionNumber", sequence_number AS "sequenceNumber", created_at AS "createdAt",
  token_id AS "tokenId", holder_id AS "holderId", type, snapshot::text AS snapshot,
  (snapshot || previous)::text AS "earlierSnapshot", coalesce(previous ? 'medical_record', false) AS "changesMedicalRecord"`;
const isAfter = '(transaction_number, sequence_number) > ($1, $2)';
// Below the horizon, no transaction can add an event any more.
const isReadable = `transaction_number < ${eventHorizon}`;
const sort = 'ORDER BY transaction_number, sequence_number LIMIT $3';
const isBefore = '(transaction_number, sequence_number) < ($1, $2)';
const reverseSort = 'ORDER BY transaction_number DESC, sequence_number DESC LIMIT $3';

/** Composes the list of a holder: what lies beyond a position, in the direction of the sort. */
function composeList(isBeyond: string, sorted: string): string {
  // Each part reads its range of the index. A condition with OR would read and sort the whole log of the digital key.
  const listPart = (owner: string) =>
    `(SELECT * FROM events WHERE ${owner} AND ${isBeyond} AND ${isReadable}
       AND ($4::text[] IS NULL OR type = ANY ($4)) AND (holder_id IS NULL OR holder_id = $6) AND created_at >= $7
     ${sorted})`;
  const [own, shared] = [listPart(`token_id = ${opaqueToPlanner('$5')}`), listPart('token_id IS NULL')];
  return `SELECT ${columns} FROM (${own} UNION ALL ${shared}) AS events ${sorted}`;
}

export interface EventFilter {
  /** Null: all types. */
  readonly types: readonly EventType[] | null;
  /** Events of an earlier time are no longer shown. */
  readonly keptSince: Date;
}

const listOptions = { indexScansOnly: true, genericPlan: true, precededBy: readEventHorizon };
const listValues = (
  { tokenId, holderId }: HolderScope,
  { transactionNumber, sequenceNumber }: EventPosition,
  { types, keptSince }: EventFilter,
  take: number,
) => [transactionNumber, sequenceNumber, take, types, tokenId, holderId, keptSince];

/** Lists events of the digital key and of the catalogue after a position, oldest first. */
export const listEvents = query<EventRow>('events.list', composeList(isAfter, sort), listOptions).list(
  listValues,
);

/** Lists events of the digital key and of the catalogue before a position, newest first. */
export const listEventsBefore = query<EventRow>(
  'events.list-newest',
  composeList(isBefore, reverseSort),
  listOptions,
).list(listValues);

/** Finds an event in the scope. */
export const findEvent = query<EventRow>(
  'events.find',
  `SELECT ${columns} FROM events
   WHERE transaction_number = $1 AND sequence_number = $2 AND created_at = $3 AND ${isReadable}
     AND (token_id = $4 OR token_id IS NULL) AND (holder_id IS NULL OR holder_id = $5)`,
  { precededBy: readEventHorizon },
).findInScope((scope: HolderScope, { transactionNumber, sequenceNumber }: EventPosition, createdAt: Date) => [
  transactionNumber,
  sequenceNumber,
  createdAt,
  scope.tokenId,
  scope.holderId,
]);

/** An event, by its place in the log and its time. */
export interface EventReference extends EventPosition {
  readonly createdAt: Date;
}

/** Lists events of any digital key. Those that are no longer kept are left out. */
export const listEventsAt = query<EventRow>(
  'events.list-at',
  `SELECT ${columns} FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[])
     AS wanted (transaction_number, sequence_number, created_at)
   JOIN events USING (transaction_number, sequence_number, created_at)
   -- Without this, a join with a list of unknown length may be planned to read the whole log.
   WHERE transaction_number = ANY ($1::bigint[])`,
  { indexScansOnly: true },
).listAsSystem((wanted: readonly EventReference[]) => [
  wanted.map(({ transactionNumber }) => transactionNumber),
  wanted.map(({ sequenceNumber }) => sequenceNumber),
  wanted.map(({ createdAt }) => createdAt),
]);

/** Whether the event exists, in any scope. */
export const eventExists = query(
  'events.exists',
  `SELECT FROM events WHERE transaction_number = $1 AND sequence_number = $2 AND created_at = $3 AND ${isReadable}`,
  { precededBy: readEventHorizon },
).hasAsSystem(({ transactionNumber, sequenceNumber }: EventPosition, createdAt: Date) => [
  transactionNumber,
  sequenceNumber,
  createdAt,
]);

/** Lists events of all digital keys, oldest first. */
export const listAllEvents = query<EventRow>(
  'events.list-all',
  `SELECT ${columns} FROM events WHERE ${isAfter} AND ${isReadable} ${sort}`,
  { indexScansOnly: true, precededBy: readEventHorizon },
).listAsSystem((after: EventPosition, take: number) => [after.transactionNumber, after.sequenceNumber, take]);

const findLast = statement<EventPosition>(
  'events.last-position',
  `SELECT transaction_number AS "transactionNumber", sequence_number AS "sequenceNumber" FROM events
   WHERE ${isReadable} ORDER BY transaction_number DESC, sequence_number DESC LIMIT 1`,
  { indexScansOnly: true, precededBy: readEventHorizon },
);

/**
 * Returns the position that all events which become readable from now on come after. It is that of an event and not the
 * horizon. After a crash, PostgreSQL gives numbers of transactions that were rolled back to others. An event may then
 * still appear below a horizon that was read before.
 */
export async function findLastPosition(database: Database): Promise<EventPosition> {
  const [last] = await database.query(systemScope, findLast);
  return last ?? firstPosition;
}

/** Whether this database has reached the position: whether it has given the number to an event. */
export const isPositionReached = query(
  'events.is-reached',
  'SELECT FROM event_numbers WHERE $1::bigint <= last_value',
).has(({ transactionNumber }: EventPosition) => [transactionNumber]);

const findWaiting = statement<{ seconds: number }>(
  'events.waiting',
  `SELECT extract(epoch FROM now() - created_at)::float AS seconds FROM events
   WHERE transaction_number >= find_event_horizon() ORDER BY transaction_number, sequence_number LIMIT 1`,
  { indexScansOnly: true },
);

/** Returns the age of the first event that is committed but not readable yet. Zero: there is none. */
export async function readWaitingSeconds(database: Database): Promise<number> {
  const [first] = await database.query(systemScope, findWaiting);
  return first ? Math.max(0, first.seconds) : 0;
}

/** Deletes some of the events that are older than this, and counts them. */
export const deleteOldEventBatch = query<{ count: number }>(
  'events.delete-old',
  // Oldest first, by the primary key. Events below the horizon only, so that a reader never loses one that it could not read yet. Their
  // age is that of the database: a process whose clock is wrong must not delete events that are still kept.
  `WITH old AS (
     SELECT transaction_number, sequence_number, created_at FROM events WHERE ${isReadable}
     ORDER BY transaction_number, sequence_number LIMIT 1000
   ), deleted AS (
     DELETE FROM events USING old
     WHERE events.transaction_number = old.transaction_number AND events.sequence_number = old.sequence_number
       AND old.created_at < now() - $1 * interval '1 ms'
     RETURNING 1
   )
   SELECT count(*) FROM deleted`,
  { indexScansOnly: true, precededBy: readEventHorizon },
).getAsSystem((maxAgeMs: number) => [maxAgeMs]);

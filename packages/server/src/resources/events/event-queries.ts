import type { EventType } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { opaqueToPlanner } from '../../database/queries/opaque-to-planner.ts';
import { eventHorizon } from '../../database/statements/event-horizon.ts';
import { statement } from '../../database/statements/statement.ts';
import { type HolderScope, systemScope } from '../../database/transactions/scope.ts';
import type { RunStatement } from '../../database/transactions/transaction.ts';
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
const listOfHolder = statement<EventRow>('events.list', composeList(isAfter, sort), {
  indexScansOnly: true,
  genericPlan: true,
  readsEvents: true,
});
const listOfHolderReversed = statement<EventRow>('events.list-newest', composeList(isBefore, reverseSort), {
  indexScansOnly: true,
  genericPlan: true,
  readsEvents: true,
});

export interface EventFilter {
  /** Null: all types. */
  readonly types: readonly EventType[] | null;
  /** Events of an earlier time are no longer shown. */
  readonly keptSince: Date;
}

/** Lists events of the digital key and of the catalogue after a position, oldest first. */
export function listEvents(
  tx: RunStatement,
  scope: HolderScope,
  { after, ...filter }: EventFilter & { readonly after: EventPosition },
  take: number,
): Promise<EventRow[]> {
  return tx(listOfHolder, listValues(scope, after, filter, take));
}

/** Lists events of the digital key and of the catalogue before a position, newest first. */
export function listEventsBefore(
  tx: RunStatement,
  scope: HolderScope,
  { before, ...filter }: EventFilter & { readonly before: EventPosition },
  take: number,
): Promise<EventRow[]> {
  return tx(listOfHolderReversed, listValues(scope, before, filter, take));
}

function listValues(
  { tokenId, holderId }: HolderScope,
  { transactionNumber, sequenceNumber }: EventPosition,
  { types, keptSince }: EventFilter,
  take: number,
): unknown[] {
  return [transactionNumber, sequenceNumber, take, types, tokenId, holderId, keptSince];
}

const findOne = statement<EventRow>(
  'events.find',
  `SELECT ${columns} FROM events
   WHERE transaction_number = $1 AND sequence_number = $2 AND created_at = $3 AND ${isReadable}
     AND (token_id = $4 OR token_id IS NULL) AND (holder_id IS NULL OR holder_id = $5)`,
  { readsEvents: true },
);

/** Finds an event in the scope. */
export async function findEvent(
  database: Database,
  scope: HolderScope,
  { transactionNumber, sequenceNumber }: EventPosition,
  createdAt: Date,
): Promise<EventRow | null> {
  const values = [transactionNumber, sequenceNumber, createdAt, scope.tokenId, scope.holderId];
  const [row] = await database.query(scope, findOne, values);
  return row ?? null;
}

const listAt = statement<EventRow>(
  'events.list-at',
  `SELECT ${columns} FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[])
     AS wanted (transaction_number, sequence_number, created_at)
   JOIN events USING (transaction_number, sequence_number, created_at)
   -- Without this, a join with a list of unknown length may be planned to read the whole log.
   WHERE transaction_number = ANY ($1::bigint[])`,
  { indexScansOnly: true },
);

/** An event, by its place in the log and its time. */
export interface EventReference extends EventPosition {
  readonly createdAt: Date;
}

/** Lists events of any digital key. Those that are no longer kept are left out. */
export function listEventsAt(database: Database, wanted: readonly EventReference[]): Promise<EventRow[]> {
  return database.query(systemScope, listAt, [
    wanted.map(({ transactionNumber }) => transactionNumber),
    wanted.map(({ sequenceNumber }) => sequenceNumber),
    wanted.map(({ createdAt }) => createdAt),
  ]);
}

const existsAt = statement<{ exists: boolean }>(
  'events.exists',
  `SELECT EXISTS (
     SELECT FROM events WHERE transaction_number = $1 AND sequence_number = $2 AND created_at = $3 AND ${isReadable}
   ) AS exists`,
  { readsEvents: true },
);

/** Whether the event exists, in any scope. */
export async function eventExists(
  database: Database,
  { transactionNumber, sequenceNumber }: EventPosition,
  createdAt: Date,
): Promise<boolean> {
  const [row] = await database.query(systemScope, existsAt, [transactionNumber, sequenceNumber, createdAt]);
  return row?.exists ?? false;
}

const listOfAll = statement<EventRow>(
  'events.list-all',
  `SELECT ${columns} FROM events WHERE ${isAfter} AND ${isReadable} ${sort}`,
  { indexScansOnly: true, readsEvents: true },
);

/** Lists events of all digital keys, oldest first. */
export function listAllEvents(database: Database, after: EventPosition, take: number): Promise<EventRow[]> {
  return database.query(systemScope, listOfAll, [after.transactionNumber, after.sequenceNumber, take]);
}

const findLast = statement<EventPosition>(
  'events.last-position',
  `SELECT transaction_number AS "transactionNumber", sequence_number AS "sequenceNumber" FROM events
   WHERE ${isReadable} ORDER BY transaction_number DESC, sequence_number DESC LIMIT 1`,
  { indexScansOnly: true, readsEvents: true },
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

const compareLast = statement<{ isReached: boolean }>(
  'events.is-reached',
  'SELECT $1::bigint <= last_value AS "isReached" FROM event_numbers',
);

/** Whether this database has reached the position: whether it has given the number to an event. */
export async function isPositionReached(
  tx: RunStatement,
  { transactionNumber }: EventPosition,
): Promise<boolean> {
  const [row] = await tx(compareLast, [transactionNumber]);
  return row?.isReached ?? false;
}

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

// Oldest first, by the primary key. Events below the horizon only, so that a reader never loses one that it could not read yet. Their
// age is that of the database: a process whose clock is wrong must not delete events that are still kept.
const deleteOld = statement<{ count: number }>(
  'events.delete-old',
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
  { indexScansOnly: true, readsEvents: true },
);

/** Deletes some of the events that are older than this. Returns how many. */
export async function deleteOldEventBatch(database: Database, maxAgeMs: number): Promise<number> {
  const [row] = await database.query(systemScope, deleteOld, [maxAgeMs]);
  return row?.count ?? 0;
}

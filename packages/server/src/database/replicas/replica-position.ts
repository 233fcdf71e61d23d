import { execute, type LeadingStatement, statement } from '@keyfront/postgres';
import pg from 'pg';
import type { PrimaryPosition } from './primary-position.ts';

const divisionByZero = '22012';

/** Whether the server has replayed a position of the primary. */
const isReplayed = `(coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false)
     AND ($2::uuid IS NULL OR EXISTS (SELECT FROM primary_timelines WHERE id = $2::uuid)
       AND EXISTS (SELECT FROM primary_beats WHERE process_id = $3::uuid AND beat >= $4::bigint)))`;

/**
 * Divides by zero on a replica that has not replayed the position, which ends the pipelined query before its statement runs. In
 * the same query, because an address may lead to several replicas, and each connection to another one.
 */
const requireReplayed = statement<never>(
  'replica.require-replayed',
  `SELECT WHERE 1 / ${isReplayed}::int IS NULL`,
);
const checkReplayed = statement<{ isReplayed: boolean }>(
  'replica.check-replayed',
  `SELECT ${isReplayed} AS "isReplayed"`,
);

const toValues = ({ lsn, timelineId, beat }: PrimaryPosition) => [
  lsn,
  timelineId,
  beat?.processId ?? null,
  beat?.number ?? null,
];

/** The replica has not replayed a position of the primary. */
class BehindError extends Error {}

/**
 * Throws if the replica has not replayed the position. Unlike the leading statement it leaves no error in the log of PostgreSQL: every
 * process asks a replica that lags many times a second.
 */
export async function expectPosition(client: pg.ClientBase, position: PrimaryPosition): Promise<void> {
  const [row] = await execute(client, checkReplayed, toValues(position));
  if (!row?.isReplayed) throw new BehindError();
}

/** Makes the leading statement that fails on a replica that lags behind the position. */
export function requirePosition(position: PrimaryPosition): LeadingStatement {
  return { statement: requireReplayed, values: toValues(position) };
}

/** A position that every replica has replayed, to prepare the statement on a new connection. */
export const anyPosition: LeadingStatement = {
  statement: requireReplayed,
  values: ['0/0', null, null, null],
};

/** Returns whether a query failed because the replica lags behind. No other statement of the service divides. */
export function isBehind(error: unknown): boolean {
  return error instanceof BehindError || (error instanceof pg.DatabaseError && error.code === divisionByZero);
}

export const readReplayed = statement<{ lsn: string | null }>(
  'replica.replayed',
  'SELECT pg_last_wal_replay_lsn()::text AS lsn',
);

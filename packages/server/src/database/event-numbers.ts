import { retryForLocks } from './apply-migration.ts';
import type { MigrationSession } from './migration-session.ts';

/**
 * Lets the numbers of event transactions go on growing in a database that was restored into another server. That server counts its
 * transactions from a lower number, so new events would come before old ones, and old ones would not be readable.
 */
export async function continueEventNumbers(owner: MigrationSession): Promise<void> {
  if (!(await hasServerChanged(owner))) return;
  await retryForLocks(owner, async () => {
    await owner.query(changeOffset);
  });
}

/** Whether the database was restored into another server since the numbers were last continued. */
export async function hasServerChanged(session: MigrationSession): Promise<boolean> {
  const [server] = await session.query<{ hasChanged: boolean | null }>(findServerChange);
  return server?.hasChanged === true;
}

// Without a row before the migration that creates the events.
const findServerChange = `
  SELECT prosrc <> format('SELECT %L', system_identifier::text) AS "hasChanged"
  FROM pg_control_system(), pg_proc WHERE oid = to_regproc('keyfront.event_server')`;

// Row-level security also applies to the owner, so it is off for this statement.
const changeOffset = `
  DO $$
  DECLARE
    next_number bigint;
    next_id bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
    shift bigint;
  BEGIN
    ALTER TABLE keyfront.events NO FORCE ROW LEVEL SECURITY;
    SELECT transaction_number + 1 - keyfront.event_number_offset() INTO next_number
    FROM keyfront.events ORDER BY transaction_number DESC LIMIT 1;
    ALTER TABLE keyfront.events FORCE ROW LEVEL SECURITY;
    shift := greatest(next_number - next_id, 0);
    IF shift > 0 THEN
      EXECUTE format(
        'CREATE OR REPLACE FUNCTION keyfront.event_number_offset() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %s',
        keyfront.event_number_offset() + shift);
    END IF;
    EXECUTE format('CREATE OR REPLACE FUNCTION keyfront.event_server() RETURNS text LANGUAGE sql IMMUTABLE AS %L',
      format('SELECT %L', (SELECT system_identifier::text FROM pg_control_system())));
  END
  $$`;

import type { MigrationSession } from './migration-session.ts';
import { platformRole } from './roles.ts';

/**
 * Lets the numbers of event transactions go on growing in a database that was restored into another server. That server counts its
 * transactions from a lower number, so new events would come before old ones, and old ones would not be readable.
 *
 * No transaction that the statement sees has a number at or above the end of its snapshot, so a running service is never mistaken for a
 * restored one. The owner does not pass row-level security, so the events are read in the role of the platform.
 */
export async function continueEventNumbers(owner: MigrationSession): Promise<void> {
  await owner.query(`
    DO $$
    DECLARE
      next_number bigint;
      next_id bigint;
      own_role text := current_setting('role');
    BEGIN
      IF to_regclass('keyfront.events') IS NULL THEN RETURN; END IF;
      PERFORM set_config('role', '${platformRole}', true);
      SELECT transaction_number + 1 - keyfront.event_number_offset(), pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      INTO next_number, next_id
      FROM keyfront.events ORDER BY transaction_number DESC LIMIT 1;
      PERFORM set_config('role', own_role, true);
      IF next_number > next_id THEN
        EXECUTE format(
          'CREATE OR REPLACE FUNCTION keyfront.event_number_offset() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %s',
          keyfront.event_number_offset() + next_number - next_id);
      END IF;
    END
    $$`);
}

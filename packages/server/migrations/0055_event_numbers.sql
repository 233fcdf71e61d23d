-- Events wait for transactions that write events, and for no others. An event was numbered by the id of its transaction, and readable when no
-- older transaction of the whole server was running, whatever that one did.

-- Waits for transactions that have written events: they do not hold the lock below.
LOCK TABLE events IN ACCESS EXCLUSIVE MODE;

-- Begins above every id that a transaction can have had: 10,000 transactions a second would have taken 55 years to get there.
CREATE SEQUENCE event_numbers;
SELECT setval('event_numbers', 17592186044416);
GRANT USAGE, SELECT ON event_numbers TO keyfront_service, keyfront_platform;

-- The column keeps its name, because instances of the version before read it.
ALTER TABLE events ALTER COLUMN transaction_number SET DEFAULT nextval('event_numbers');
DROP FUNCTION event_transaction_number();

-- Before the first number of a transaction, takes a lock with the last number that was given to anybody. Those of the transaction are higher.
-- The lock ends when the transaction has ended, after its events are visible. It is shared, so nobody waits for it.
-- Expressions take PostgreSQL a fraction of the time of statements.
CREATE FUNCTION lock_event_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  writer text := pg_current_xact_id()::text;
  ignored text;
BEGIN
  IF current_setting('keyfront.event_writer', true) IS DISTINCT FROM writer THEN
    ignored := pg_advisory_xact_lock_shared(1801812328,
      (pg_sequence_last_value('keyfront.event_numbers') & 2147483647)::integer);
    ignored := set_config('keyfront.event_writer', writer, true);
  END IF;
  RETURN NULL;
END
$$;
-- PostgreSQL runs it before it evaluates the first row.
CREATE TRIGGER lock_numbers BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION lock_event_numbers();

-- Returns the number below which no transaction can add an event any more. A statement that begins afterwards sees all events below it. The
-- statement that calls it may not: its snapshot is older, and a transaction may have been committed in between.
CREATE FUNCTION find_event_horizon() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- Read before the locks: a transaction that takes its lock later gets higher numbers.
  last_number bigint := pg_sequence_last_value('keyfront.event_numbers');
BEGIN
  -- A lock has the lower 31 bits of a number. Those of locks that were taken after the line above seem to be far behind.
  RETURN last_number + 1 - coalesce((
    SELECT max(distance) FROM pg_locks, LATERAL (SELECT (last_number - objid::bigint) & 2147483647 AS distance) AS lock
    WHERE locktype = 'advisory' AND classid = 1801812328 AND objsubid = 2 AND distance < 1073741824
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ), 0);
END
$$;

-- For instances of the version before, whose statements call this function and see the events of their own snapshot: what was committed since
-- that snapshot is not below the horizon. A later migration removes both.
CREATE FUNCTION find_unseen_event(of_snapshot pg_snapshot) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN (
    SELECT min(number) FROM (
      SELECT transaction_number AS number, xmin::text::bigint AS writer FROM keyfront.events
      ORDER BY transaction_number DESC, sequence_number DESC LIMIT 1000
    ) AS event, pg_snapshot_xmax(pg_current_snapshot()) AS next
    WHERE NOT pg_visible_in_snapshot((next::text::bigint - ((next::text::bigint - writer) & 4294967295))::text::xid8, of_snapshot)
  );
END
$$;
CREATE OR REPLACE FUNCTION event_horizon() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  horizon bigint := keyfront.find_event_horizon();
BEGIN
  RETURN least(horizon, keyfront.find_unseen_event(pg_current_snapshot()));
END
$$;

ALTER TABLE webhooks ALTER COLUMN first_transaction_number SET DEFAULT find_event_horizon();

-- The log of events: what happened to the data of a digital key, and to the catalogue. Triggers of the tables write most of it, so that no
-- way of writing can forget it. The other side is resources/events.

-- Events are read in the order of their numbers. Transactions commit in another order than they take numbers, so a reader who has seen number
-- 8 may have missed number 7. An event is therefore readable only when its number is below the horizon: no transaction that is still running
-- can add an event below it.
CREATE SEQUENCE event_numbers;
-- The horizon is computed from the last number, so there must be one.
SELECT setval('event_numbers', 1);
GRANT USAGE, SELECT ON event_numbers TO keyfront_service, keyfront_platform;

CREATE TABLE events (
  -- The place of the event in the log. Despite the name, each event has a number of its own.
  transaction_number bigint NOT NULL DEFAULT nextval('event_numbers'),
  sequence_number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null: the event is for every digital key.
  token_id token_number,
  -- Only this holder may read the event, also after the digital key has changed hands. Null: whoever acts for the digital key.
  holder_id uuid,
  type text NOT NULL,
  -- The columns of the resource that may change, with their values at that moment. Readers take the others from its table.
  snapshot jsonb NOT NULL,
  -- The values before an update, of the columns that it changed.
  previous jsonb,
  PRIMARY KEY (transaction_number, sequence_number)
-- Rows are only appended and deleted in the order of their age. For all tables that grow, docs/decisions/48-growth.md gives the reasons.
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX events_by_token ON events (token_id, transaction_number, sequence_number);
-- PostgreSQL plans as for a large holder where it does not know the digital key: in the policies of row-level security, and in a plan for all
-- values. By its own statistics it supposes an average holder. Where most have few orders, it would then read all rows of the digital key to
-- find some by their ids, which takes seconds for a holder with a million. With this setting it supposes that one row in twenty belongs to the
-- digital key, or as many as to the largest one, if that is less. Other tables have the same setting.
ALTER TABLE events ALTER COLUMN token_id SET (n_distinct = 20);

-- The client that an event is about. Null if it is about none.
CREATE FUNCTION event_client_id(event_type text, snapshot jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN event_type LIKE 'client.%' THEN snapshot ->> 'id' ELSE snapshot #>> '{client,id}' END;
-- How an erasure finds what is about a client, however much its holder has. Contains only what can be about one.
CREATE INDEX events_by_client ON events (event_client_id(type, snapshot)) WHERE token_id IS NOT NULL;

CALL protect('events', '(token_id = scope_token_id() OR token_id IS NULL AND scope_token_id() IS NOT NULL)
  AND (holder_id IS NULL OR holder_id = scope_holder_id())');
-- A wallet manages the API keys of all of its digital keys, whichever of them it is signed in for. The events of these keys belong to the
-- holder, so the holder may add them.
ALTER POLICY in_scope ON events
  WITH CHECK (
    (token_id = scope_token_id() OR token_id IS NULL AND scope_token_id() IS NOT NULL)
      AND (holder_id IS NULL OR holder_id = scope_holder_id())
    OR holder_id = scope_holder_id()
  );
GRANT SELECT, INSERT ON events TO keyfront_service, keyfront_platform;
-- Old events are deleted, and erasing a client removes its personal data from events.
GRANT DELETE, UPDATE (snapshot, previous) ON events TO keyfront_platform;

-- Before the first number of a transaction, takes a lock with the last number that was given to anybody. Those of the transaction are higher.
-- The lock ends when the transaction has ended, after its events are visible. It is shared, so nobody waits for it. Expressions take
-- PostgreSQL a fraction of the time of statements.
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

-- The columns that differ, with their earlier values. Null if none does.
CREATE FUNCTION previous_values(earlier jsonb, later jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT jsonb_object_agg(key, value) FROM jsonb_each(earlier) WHERE value IS DISTINCT FROM later -> key);

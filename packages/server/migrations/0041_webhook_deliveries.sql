-- Events on their way to webhooks. The jobs that send them are in the schema of the work queue (database/work-queue.ts).

-- Where the dispatcher is in the log of events. One row. Whoever dispatches holds its lock.
CREATE TABLE webhook_dispatch (
  transaction_number bigint NOT NULL,
  sequence_number bigint NOT NULL
);
INSERT INTO webhook_dispatch VALUES (event_horizon() - 1, 0);
GRANT SELECT, UPDATE ON webhook_dispatch TO keyfront_platform;

-- One event for one webhook. There is no foreign key: deleting a webhook must not take as long as it has deliveries. They are deleted
-- with the events.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  webhook_id uuid NOT NULL,
  token_id token_number NOT NULL,
  holder_id uuid NOT NULL,
  -- The place of the event in the log. Null: a test.
  event_transaction_number bigint,
  event_sequence_number bigint,
  event_created_at timestamptz(3),
  event_type text NOT NULL,
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
  -- Whether the work queue has the next attempt. The dispatcher adds it otherwise.
  is_queued boolean NOT NULL DEFAULT false,
  attempts smallint NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  -- The latest attempt.
  attempted_at timestamptz(3),
  response_status smallint,
  duration_ms integer,
  -- The first part of the response.
  response_body text,
  failure text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id DESC);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (created_at) WHERE status = 'PENDING';
CREATE INDEX webhook_deliveries_unqueued ON webhook_deliveries (id) WHERE status = 'PENDING' AND NOT is_queued;
-- Every row is updated once or more, and later deleted in the order of age.
ALTER TABLE webhook_deliveries SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- Events that a holder wants again: those after this place, up to the transactions before the request.
ALTER TABLE webhooks
  ADD COLUMN replay_transaction_number bigint,
  ADD COLUMN replay_sequence_number bigint,
  ADD COLUMN replay_before bigint;
CREATE INDEX webhooks_replaying ON webhooks (id) WHERE replay_before IS NOT NULL;
GRANT UPDATE (replay_transaction_number, replay_sequence_number, replay_before) ON webhooks
  TO keyfront_service, keyfront_platform;

CALL protect('webhook_deliveries', 'token_id = scope_token_id() AND holder_id = scope_holder_id()');
GRANT SELECT, INSERT, UPDATE (status, is_queued, next_attempt_at) ON webhook_deliveries TO keyfront_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries TO keyfront_platform;

-- The processes that take jobs, by the name that the work queue gives them. A job of a process that is not seen any more is given to
-- another one.
CREATE TABLE queue_workers (
  id text PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON queue_workers TO keyfront_platform;

-- Whether a list of types and patterns, such as order.* or *, includes a type of event.
CREATE FUNCTION includes_event_type(patterns text[], event_type text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN patterns && ARRAY['*', event_type, split_part(event_type, '.', 1) || '.*'];

-- Deliveries disable a webhook. Its holder knows when they have done it themselves.
CREATE FUNCTION record_webhook_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.events (token_id, holder_id, type, snapshot, previous)
  VALUES (NEW.token_id, NEW.holder_id, 'webhook.disabled', to_jsonb(NEW), jsonb_build_object('disabled_reason', NULL));
  RETURN NULL;
END
$$;
CREATE TRIGGER record_disabling AFTER UPDATE OF disabled_reason ON webhooks FOR EACH ROW
  WHEN (OLD.disabled_reason IS NULL AND NEW.disabled_reason IN ('GONE', 'FAILING'))
  EXECUTE FUNCTION record_webhook_event();

-- Where events are sent, and their deliveries. A webhook belongs to a holder and one of their digital keys: whoever gets the digital key later
-- does not see it, and events are sent only while the holder owns the digital key.

CREATE TABLE webhooks (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  token_id token_number NOT NULL REFERENCES digital_keys,
  holder_id uuid NOT NULL REFERENCES holders,
  url text NOT NULL CHECK (length(url) <= 2000),
  -- Types of events, patterns such as order.*, or *.
  event_types text[] NOT NULL CHECK (cardinality(event_types) > 0),
  description text CHECK (length(description) <= 200),
  -- Null: events are sent.
  disabled_reason text CHECK (disabled_reason IN ('HOLDER', 'GONE', 'FAILING')),
  -- The first failed attempt since the last success.
  failing_since timestamptz(3),
  -- Earlier events are not sent.
  first_transaction_number bigint NOT NULL DEFAULT find_event_horizon(),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Events that a holder wants again: those after this place, up to the transactions before the request.
  replay_transaction_number bigint,
  replay_sequence_number bigint,
  replay_before bigint,
  UNIQUE (token_id, id)
);
CREATE INDEX webhooks_replaying ON webhooks (id) WHERE replay_before IS NOT NULL;
-- The state of deliveries is no change of the webhook.
CREATE TRIGGER touch BEFORE UPDATE OF url, event_types, description, disabled_reason ON webhooks
  FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

-- The secrets that deliveries are signed with, encrypted: one that does not expire, and the previous ones that are still valid.
CREATE TABLE webhook_secrets (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  webhook_id uuid NOT NULL,
  token_id token_number NOT NULL,
  holder_id uuid NOT NULL,
  key_id text NOT NULL,
  ciphertext bytea NOT NULL,
  expires_at timestamptz(3),
  FOREIGN KEY (token_id, webhook_id) REFERENCES webhooks (token_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_secrets_by_webhook ON webhook_secrets (webhook_id, id DESC);
CREATE INDEX webhook_secrets_by_key ON webhook_secrets (key_id, id);

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
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Whether the client of the event was erased. What the receiver answers may repeat what it was sent before, and is not kept.
  is_erased boolean NOT NULL DEFAULT false
-- Every row is updated once or more, and later deleted in the order of age.
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id DESC);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (created_at) WHERE status = 'PENDING';
CREATE INDEX webhook_deliveries_unqueued ON webhook_deliveries (id) WHERE status = 'PENDING' AND NOT is_queued;
-- How many deliveries of a webhook are not sent yet.
CREATE INDEX webhook_deliveries_pending_by_webhook ON webhook_deliveries (webhook_id) WHERE status = 'PENDING';
-- How an erasure finds the deliveries of an event.
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_transaction_number, event_sequence_number)
  WHERE event_transaction_number IS NOT NULL;

CALL protect('webhooks', 'token_id = scope_token_id() AND holder_id = scope_holder_id()');
CALL protect('webhook_secrets', 'token_id = scope_token_id() AND holder_id = scope_holder_id()');
CALL protect('webhook_deliveries', 'token_id = scope_token_id() AND holder_id = scope_holder_id()');
GRANT SELECT, INSERT, DELETE, UPDATE (url, event_types, description, disabled_reason, failing_since, first_transaction_number,
  replay_transaction_number, replay_sequence_number, replay_before) ON webhooks TO keyfront_service, keyfront_platform;
GRANT SELECT, INSERT, DELETE, UPDATE (expires_at) ON webhook_secrets TO keyfront_service;
GRANT SELECT, DELETE, UPDATE (key_id, ciphertext) ON webhook_secrets TO keyfront_platform;
GRANT SELECT, INSERT, UPDATE (status, is_queued, next_attempt_at) ON webhook_deliveries TO keyfront_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries TO keyfront_platform;

-- Events of webhooks. Deliveries disable a webhook. Its holder knows when they have done it themselves.
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

-- Whether a list of types and patterns, such as order.* or *, includes a type of event.
CREATE FUNCTION includes_event_type(patterns text[], event_type text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN patterns && ARRAY['*', event_type, split_part(event_type, '.', 1) || '.*'];

-- Where the dispatcher is in the log of events. One row. Whoever dispatches holds its lock.
CREATE TABLE webhook_dispatch (
  transaction_number bigint NOT NULL,
  sequence_number bigint NOT NULL
);
INSERT INTO webhook_dispatch VALUES (find_event_horizon() - 1, 0);
GRANT SELECT, UPDATE ON webhook_dispatch TO keyfront_platform;

-- The processes that take jobs, by the name that the work queue gives them. A job of a process that is not seen any more is given to another
-- one. The jobs themselves are in the schema of the work queue.
CREATE TABLE queue_workers (
  id text PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON queue_workers TO keyfront_platform;

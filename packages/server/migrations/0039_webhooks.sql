-- Where events are sent. A webhook belongs to a holder and one of their digital keys: whoever gets the digital key later does not see
-- it, and events are sent only while the holder owns the digital key.

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
  -- Events of earlier transactions are not sent.
  first_transaction_number bigint NOT NULL DEFAULT event_horizon(),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX webhooks_by_token ON webhooks (token_id, id);
-- The state of deliveries is no change of the webhook.
CREATE TRIGGER touch BEFORE UPDATE OF url, event_types, description, disabled_reason ON webhooks
  FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

-- The secrets that deliveries are signed with, encrypted: one that does not expire, and the previous ones that are still valid.
CREATE TABLE webhook_secrets (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  webhook_id uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  token_id token_number NOT NULL,
  holder_id uuid NOT NULL,
  key_id text NOT NULL,
  ciphertext bytea NOT NULL,
  expires_at timestamptz(3)
);
CREATE INDEX webhook_secrets_by_webhook ON webhook_secrets (webhook_id, id DESC);
CREATE INDEX webhook_secrets_by_key ON webhook_secrets (key_id, id);

CALL protect('webhooks', 'token_id = scope_token_id() AND holder_id = scope_holder_id()');
CALL protect('webhook_secrets', 'token_id = scope_token_id() AND holder_id = scope_holder_id()');
GRANT SELECT, INSERT, DELETE, UPDATE (url, event_types, description, disabled_reason, failing_since, first_transaction_number)
  ON webhooks TO keyfront_service, keyfront_platform;
GRANT SELECT, INSERT, DELETE, UPDATE (expires_at) ON webhook_secrets TO keyfront_service;
GRANT SELECT, DELETE, UPDATE (key_id, ciphertext) ON webhook_secrets TO keyfront_platform;

-- Identity checks and payments by outside providers, which report to the service in signed callbacks.

-- The identity check of a client. `is_kyc_verified` stays the one place that says whether a client is verified: the
-- progress is null for a client who is verified or has not begun. Existing clients have no reference until they get a
-- link. A default for them would rewrite the table.
ALTER TABLE clients
  ADD COLUMN kyc_reference uuid,
  ADD COLUMN kyc_progress text,
  ADD COLUMN kyc_verified_at timestamptz(3);
ALTER TABLE clients ALTER COLUMN kyc_reference SET DEFAULT gen_random_uuid();
-- NOT VALID saves reading the whole table under a lock. Every row satisfies it, because the columns are new.
ALTER TABLE clients ADD CONSTRAINT clients_kyc_progress
  CHECK (kyc_progress IS NULL OR kyc_progress IN ('PROCESSING', 'REJECTED') AND NOT is_kyc_verified) NOT VALID;
-- A holder replaces the link of a client, which starts the check again.
GRANT UPDATE (kyc_reference, kyc_progress) ON clients TO keyfront_service;

-- The ids of the callbacks that have changed something. A row is written in the transaction of its change, so that each
-- message counts once.
CREATE TABLE provider_messages (
  provider text NOT NULL CHECK (provider IN ('KYC', 'PAYMENT')),
  message_id text NOT NULL CHECK (length(message_id) BETWEEN 1 AND 255),
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, message_id)
);
CREATE INDEX provider_messages_by_time ON provider_messages (received_at);
GRANT SELECT, INSERT, DELETE ON provider_messages TO keyfront_platform;
-- Only for the row locks of the job that deletes old messages.
GRANT UPDATE (received_at) ON provider_messages TO keyfront_platform;

-- An attempt to pay an order at the payment provider.
CREATE TABLE payment_checkouts (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  -- What the provider knows the checkout by. It cannot be guessed.
  reference uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL,
  token_id token_number NOT NULL,
  status text NOT NULL DEFAULT 'PENDING'
    CHECK (status IN ('PENDING', 'PROCESSING', 'PAID', 'FAILED', 'REFUNDED', 'CANCELLED', 'EXPIRED')),
  return_url text CHECK (length(return_url) <= 2048),
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (token_id, order_id) REFERENCES orders (token_id, id)
);
CREATE INDEX payment_checkouts_by_order ON payment_checkouts (order_id, id);
-- An order has at most one checkout that can still be paid.
CREATE UNIQUE INDEX payment_checkouts_open ON payment_checkouts (order_id) WHERE status IN ('PENDING', 'PROCESSING');
CREATE TRIGGER touch BEFORE UPDATE ON payment_checkouts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CALL protect('payment_checkouts', 'token_id = scope_token_id()');
GRANT SELECT, INSERT ON payment_checkouts TO keyfront_service, keyfront_platform;
GRANT UPDATE (status, expires_at) ON payment_checkouts TO keyfront_service, keyfront_platform;

-- A holder may try a failed payment again. Whether an order is paid, only the provider and administrators say.
GRANT UPDATE (payment_status) ON orders TO keyfront_service;
CREATE FUNCTION refuse_payment_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A holder may only return a failed payment to PENDING' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER limit_payment_change BEFORE UPDATE OF payment_status ON orders FOR EACH ROW
  WHEN (current_user = 'keyfront_service' AND OLD.payment_status <> NEW.payment_status
    AND (OLD.payment_status <> 'FAILED' OR NEW.payment_status <> 'PENDING'))
  EXECUTE FUNCTION refuse_payment_change();

-- A change is made by an administrator or by a provider.
ALTER TABLE audit ALTER COLUMN administrator DROP NOT NULL, ADD COLUMN provider text;
ALTER TABLE audit
  ADD CONSTRAINT audit_provider CHECK (provider IN ('KYC', 'PAYMENT')) NOT VALID,
  ADD CONSTRAINT audit_author CHECK ((administrator IS NULL) <> (provider IS NULL)) NOT VALID;

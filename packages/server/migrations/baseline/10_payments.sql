-- Payments and identity checks by outside providers, which report to the service in signed callbacks.

-- An attempt to pay an order: at the payment provider, or in another way that an administrator has noted. Each is about the whole total.
CREATE TABLE payment_checkouts (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  -- What the provider knows the checkout by. It cannot be guessed. Null if an administrator has noted the payment.
  reference uuid UNIQUE,
  order_id uuid NOT NULL,
  token_id token_number NOT NULL,
  status text NOT NULL DEFAULT 'PENDING'
    CHECK (status IN ('PENDING', 'PROCESSING', 'PAID', 'FAILED', 'REFUNDED', 'CANCELLED', 'EXPIRED')),
  return_url text CHECK (length(return_url) <= 2048),
  -- What of this payment went back.
  refunded_amount numeric(16, 2) NOT NULL DEFAULT 0 CHECK (refunded_amount >= 0),
  expires_at timestamptz(3) NOT NULL,
  -- When the money arrived.
  paid_at timestamptz(3) CHECK ((paid_at IS NOT NULL) = (status IN ('PAID', 'REFUNDED'))),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (token_id, order_id) REFERENCES orders (token_id, id)
);
CREATE INDEX payment_checkouts_by_order ON payment_checkouts (order_id, id);
-- An order has at most one checkout that can still be paid.
CREATE UNIQUE INDEX payment_checkouts_open ON payment_checkouts (order_id) WHERE status IN ('PENDING', 'PROCESSING');
CREATE TRIGGER touch BEFORE UPDATE ON payment_checkouts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CALL protect('payment_checkouts', 'token_id = scope_token_id()');
GRANT SELECT, INSERT, UPDATE (status, expires_at, paid_at) ON payment_checkouts TO keyfront_service, keyfront_platform;
-- Erasing a client removes return addresses.
GRANT UPDATE (return_url, refunded_amount) ON payment_checkouts TO keyfront_platform;

-- What went back to customers.
CREATE TABLE refunds (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  order_id uuid NOT NULL,
  token_id token_number NOT NULL,
  amount numeric(16, 2) NOT NULL CHECK (amount >= 0),
  reason text NOT NULL,
  -- A list of {"number", "quantity"}: the numbers of lines, and the units of each. Empty for a refund of an amount.
  lines jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(lines) = 'array'),
  is_restocked boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (token_id, order_id) REFERENCES orders (token_id, id)
);
CREATE INDEX refunds_by_order ON refunds (order_id, id);

CALL protect('refunds', 'token_id = scope_token_id()');
GRANT SELECT ON refunds TO keyfront_service;
-- Erasing a client removes the reason.
GRANT SELECT, INSERT, UPDATE (reason) ON refunds TO keyfront_platform;

-- The ids of the callbacks that have changed something. A row is written in the transaction of its change, so that each message counts once.
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

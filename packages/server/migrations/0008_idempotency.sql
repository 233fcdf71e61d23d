-- The first answer to a POST with an Idempotency-Key, written in the transaction of the work itself.

CREATE TABLE idempotency_keys (
  credential text NOT NULL CHECK (credential <> ''),
  idempotency_key text NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
  wallet_address wallet_address NOT NULL,
  request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
  status_code smallint NOT NULL CHECK (status_code BETWEEN 200 AND 599),
  body bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '24 hours',
  PRIMARY KEY (credential, idempotency_key)
);
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);

CALL protect('idempotency_keys', 'wallet_address = scope_wallet_address()');

GRANT SELECT, INSERT, DELETE ON idempotency_keys TO keyfront_service, keyfront_platform;

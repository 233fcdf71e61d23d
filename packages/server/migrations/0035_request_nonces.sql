-- The nonces of changes with a bound signature. A row is written in the transaction of its change, so that no process accepts the
-- same request twice.

CREATE TABLE request_nonces (
  key_id uuid NOT NULL,
  -- SHA-256 of the nonce, so that all rows have the same size.
  nonce_hash bytea NOT NULL CHECK (octet_length(nonce_hash) = 32),
  holder_id uuid NOT NULL,
  -- The signature is not accepted any more after this time, whatever the clock of a process says.
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (key_id, nonce_hash)
);
CREATE INDEX request_nonces_by_expiry ON request_nonces (expires_at);

CALL protect('request_nonces', 'holder_id = scope_holder_id()');

GRANT SELECT, INSERT ON request_nonces TO keyfront_service;
GRANT SELECT, DELETE ON request_nonces TO keyfront_platform;
-- Only for the row locks of the job that deletes expired nonces.
GRANT UPDATE (expires_at) ON request_nonces TO keyfront_platform;

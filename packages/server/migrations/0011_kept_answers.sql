-- Idempotency keys are kept as their hashes: what an answer with a secret is sealed with stands nowhere in the database.

TRUNCATE idempotency_keys;
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey, DROP COLUMN idempotency_key,
  ADD COLUMN key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
  ADD PRIMARY KEY (credential, key_hash);

-- A key whose answer has expired may be used anew.
GRANT UPDATE (wallet_address, request_hash, status_code, body, created_at, expires_at) ON idempotency_keys
  TO keyfront_service, keyfront_platform;

-- For a statement that finds its facts changed: the service runs a transaction again that fails with this state.
CREATE FUNCTION begin_again() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the facts changed, begin again' USING ERRCODE = 'serialization_failure';
END
$$;

-- The sessions of signed-in wallets. A token is accepted while its session lives, so a session that ends takes its token with it.

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  wallet_address wallet_address NOT NULL,
  role text NOT NULL CHECK (role IN ('holder', 'administrator')),
  -- The domain in the message that the wallet has signed.
  domain text NOT NULL CHECK (length(domain) <= 255),
  -- SHA-256 of the signed message and its signature. Whoever sends the same again before `repeatable_until` gets the same session.
  sign_in_hash bytea NOT NULL UNIQUE CHECK (octet_length(sign_in_hash) = 32),
  repeatable_until timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- A session that is ended before its time gets the time of its end.
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX sessions_by_wallet ON sessions (wallet_address, created_at);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CALL protect('sessions', 'wallet_address = scope_wallet_address()');

GRANT SELECT, UPDATE (expires_at) ON sessions TO keyfront_service;
GRANT SELECT, INSERT, UPDATE (expires_at), DELETE ON sessions TO keyfront_platform;

-- Every process clears its cached sessions before the end of one is acknowledged. The numbers are those of key changes, so one
-- acknowledgement serves both. The second notification is for processes of an earlier version, which listen to nothing else; the
-- others know the number by then.
CREATE FUNCTION announce_session_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('keyfront key change', 0));
  change := nextval('keyfront.key_changes')::text;
  PERFORM pg_notify('keyfront_session_changes', change);
  PERFORM pg_notify('keyfront_key_changes', change);
  RETURN NULL;
END
$$;
CREATE TRIGGER announce_end BEFORE UPDATE OF expires_at ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION announce_session_change();

-- The domain that the nonce was requested for. Null: that of the service itself.
ALTER TABLE sign_in_nonces ADD COLUMN domain text;
ALTER TABLE sign_in_nonces ADD CONSTRAINT sign_in_nonces_domain CHECK (length(domain) <= 255) NOT VALID;

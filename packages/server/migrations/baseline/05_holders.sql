-- Who calls: holders and their digital keys, their API keys, and the sessions of their wallets. A holder is a wallet. A digital key is a token
-- that a holder owns. An API key acts for both.

CREATE TABLE holders (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  wallet_address wallet_address NOT NULL UNIQUE,
  email text CHECK (length(email) <= 254),
  primary_token_id token_number,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
-- Administrators find holders by the beginning of their wallet. The order of this index is that of the characters, whatever the
-- collation of the database.
CREATE INDEX holders_by_wallet ON holders (wallet_address COLLATE "C");
CREATE TRIGGER touch BEFORE UPDATE ON holders FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE digital_keys (
  token_id token_number PRIMARY KEY,
  holder_id uuid NOT NULL REFERENCES holders,
  planet_id uuid NOT NULL REFERENCES planets,
  acquired_at timestamptz(3) NOT NULL DEFAULT now(),
  -- How often the digital key has changed its owner. A listing names it, so that the listing is void as soon as the digital key moves, even if
  -- the digital key comes back. The token contract counts, and so does the chain reader.
  nonce bigint NOT NULL DEFAULT 0 CHECK (nonce >= 0),
  -- The token contract that the count belongs to. Null: the chain reader has counted nothing yet.
  nonce_contract wallet_address,
  UNIQUE (holder_id, token_id)
);

-- The primary digital key is always one that the holder owns. Deferred, so that one transaction can move a token and then correct both
-- holders.
ALTER TABLE holders ADD CONSTRAINT holders_own_their_primary FOREIGN KEY (id, primary_token_id)
  REFERENCES digital_keys (holder_id, token_id) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE api_keys (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  holder_id uuid NOT NULL REFERENCES holders,
  token_id token_number NOT NULL REFERENCES digital_keys,
  key_name text NOT NULL CHECK (length(key_name) BETWEEN 1 AND 100),
  -- SubjectPublicKeyInfo in DER. The private key is stored nowhere.
  public_key bytea NOT NULL,
  fingerprint bytea NOT NULL UNIQUE GENERATED ALWAYS AS (sha256(public_key)) STORED,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  -- A reorganisation restores the API keys that a dropped transfer had revoked. It must never restore a key that its holder has revoked, even
  -- if the transfer had revoked the key first.
  revoked_by text CHECK (revoked_by IN ('HOLDER', 'CHAIN', 'OPERATOR')),
  -- Which signatures the key is accepted with.
  signatures text NOT NULL DEFAULT 'any' CONSTRAINT api_keys_signatures CHECK (signatures IN ('any', 'bound')),
  -- What it may do. Null: everything.
  scopes text[] CONSTRAINT api_keys_scopes CHECK (cardinality(scopes) > 0),
  -- Null: until it is revoked.
  expires_at timestamptz(3),
  -- Where it is accepted from, in CIDR notation. Null: any.
  allowed_networks text[] CONSTRAINT api_keys_networks CHECK (cardinality(allowed_networks) > 0),
  successor_id uuid,
  CHECK (revoked_by IS NULL OR revoked_at IS NOT NULL)
);
CREATE INDEX api_keys_by_holder ON api_keys (holder_id, created_at DESC, id DESC);
CREATE INDEX api_keys_live_by_token ON api_keys (token_id) WHERE revoked_at IS NULL;

CALL protect('holders', 'id = scope_holder_id()');
CALL protect('digital_keys', 'holder_id = scope_holder_id()');
CALL protect('api_keys', 'holder_id = scope_holder_id()');

GRANT SELECT, UPDATE (email, primary_token_id) ON holders TO keyfront_service;
GRANT SELECT ON digital_keys TO keyfront_service;
GRANT SELECT, INSERT, UPDATE (key_name, revoked_at, revoked_by, signatures, scopes, expires_at, allowed_networks, successor_id)
  ON api_keys TO keyfront_service;
GRANT SELECT, INSERT, UPDATE ON holders, digital_keys, api_keys TO keyfront_platform;
-- A mint that a reorganisation dropped leaves no digital key behind.
GRANT DELETE ON digital_keys TO keyfront_platform;

-- API keys belong to the holder. Whoever gets the digital key later does not see their events.
CREATE FUNCTION record_key_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.events (token_id, holder_id, type, snapshot, previous)
  VALUES (NEW.token_id, NEW.holder_id, CASE TG_OP WHEN 'INSERT' THEN 'key.created' ELSE 'key.revoked' END, to_jsonb(NEW),
    CASE TG_OP WHEN 'UPDATE' THEN jsonb_build_object('revoked_at', NULL) END);
  RETURN NULL;
END
$$;
CREATE TRIGGER record_new AFTER INSERT ON api_keys FOR EACH ROW
  WHEN (current_setting('keyfront.is_seeding', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION record_key_event();
CREATE TRIGGER record_revocation AFTER UPDATE OF revoked_at ON api_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION record_key_event();

-- Every process is told when a credential that it may have cached is no longer valid, and whoever revoked it waits until all of them have
-- cleared it. The other side is change-feed.ts. Each change gets a number. The lock is held until the commit, so numbers are given
-- in the order of commits: whoever has heard of one has heard of all before it.
CREATE SEQUENCE key_changes AS integer;
GRANT USAGE, SELECT ON SEQUENCE key_changes TO keyfront_service, keyfront_platform;

CREATE FUNCTION announce_key_change() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  change integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('keyfront key change', 0));
  change := nextval('keyfront.key_changes');
  PERFORM pg_notify('keyfront_key_changes', change::text);
  RETURN change;
END
$$;

-- Triggers, so that no way of revoking can forget it. Before the statement, so that the statement can return the number.
CREATE FUNCTION announce_before_statement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keyfront.announce_key_change();
  RETURN NULL;
END
$$;
CREATE TRIGGER announce_revocation BEFORE UPDATE OF revoked_at ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION announce_before_statement();
CREATE TRIGGER announce_settings BEFORE UPDATE OF signatures, scopes, expires_at, allowed_networks ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION announce_before_statement();
CREATE TRIGGER announce_change_of_hands BEFORE UPDATE OF holder_id ON digital_keys
  FOR EACH STATEMENT EXECUTE FUNCTION announce_before_statement();

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
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX request_nonces_by_expiry ON request_nonces (expires_at);

CALL protect('request_nonces', 'holder_id = scope_holder_id()');
GRANT SELECT, INSERT ON request_nonces TO keyfront_service;
GRANT SELECT, DELETE ON request_nonces TO keyfront_platform;
-- Only for the row locks of the job that deletes expired nonces.
GRANT UPDATE (expires_at) ON request_nonces TO keyfront_platform;

-- A nonce is stored only as long as it would be kept: the clock of the database decides both. A process whose clock is behind would
-- otherwise accept a signature whose nonce was deleted before. `expires_at` follows from what was signed, so it is the same for every
-- repetition. `clock_timestamp`, not `now`: the transaction may have begun before the nonce was deleted.
CREATE FUNCTION refuse_expired_nonce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.expires_at <= clock_timestamp() THEN
    RAISE EXCEPTION 'the nonce has expired' USING ERRCODE = 'check_violation', CONSTRAINT = 'request_nonces_not_expired';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER refuse_expired_nonce BEFORE INSERT ON request_nonces
  FOR EACH ROW EXECUTE FUNCTION refuse_expired_nonce();

-- What wallets were asked to sign and have not returned yet. A row is deleted when it is used or has expired.
CREATE TABLE sign_in_nonces (
  -- Only the hash of the nonce: whoever reads this table can sign in as nobody.
  nonce_hash bytea PRIMARY KEY CHECK (octet_length(nonce_hash) = 32),
  wallet_address wallet_address NOT NULL,
  type text NOT NULL CHECK (type ~ '^[A-Za-z0-9_-]{1,32}$'),
  -- Becomes that of the holder when the wallet has signed.
  email text CHECK (length(email) <= 254),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '5 minutes',
  -- The domain that the nonce was requested for. Null: that of the service itself.
  domain text CONSTRAINT sign_in_nonces_domain CHECK (length(domain) <= 255)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
-- There is no index by wallet on purpose: nothing may count or replace the nonces of a wallet, because anybody can request one.
CREATE INDEX sign_in_nonces_by_expiry ON sign_in_nonces (expires_at);

CALL protect('sign_in_nonces', 'wallet_address = scope_wallet_address()');
GRANT SELECT ON sign_in_nonces TO keyfront_service;
GRANT SELECT, INSERT, DELETE ON sign_in_nonces TO keyfront_platform;
-- Only for the row locks of the job that deletes expired nonces.
GRANT UPDATE (expires_at) ON sign_in_nonces TO keyfront_platform;

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
-- acknowledgement serves both.
CREATE FUNCTION announce_session_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('keyfront key change', 0));
  PERFORM pg_notify('keyfront_session_changes', nextval('keyfront.key_changes')::text);
  RETURN NULL;
END
$$;
CREATE TRIGGER announce_end BEFORE UPDATE OF expires_at ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION announce_session_change();

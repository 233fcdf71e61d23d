-- A holder is a wallet; a digital key is a token that a holder owns; an API key acts for both.

CREATE TABLE holders (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  wallet_address wallet_address NOT NULL UNIQUE,
  email text CHECK (length(email) <= 254),
  primary_token_id token_number,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE TRIGGER touch BEFORE UPDATE ON holders FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE digital_keys (
  token_id token_number PRIMARY KEY,
  holder_id uuid NOT NULL REFERENCES holders,
  planet_id uuid NOT NULL REFERENCES planets,
  acquired_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (holder_id, token_id)
);

-- The primary digital key is always one that the holder owns. Deferred, so that a token can change hands and both
-- holders be put right within one transaction.
ALTER TABLE holders ADD CONSTRAINT holders_own_their_primary FOREIGN KEY (id, primary_token_id)
  REFERENCES digital_keys (holder_id, token_id) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE api_keys (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  holder_id uuid NOT NULL REFERENCES holders,
  token_id token_number NOT NULL REFERENCES digital_keys,
  key_name text NOT NULL CHECK (length(key_name) BETWEEN 1 AND 100),
  -- SubjectPublicKeyInfo in DER. The private key is kept nowhere.
  public_key bytea NOT NULL,
  fingerprint bytea NOT NULL UNIQUE GENERATED ALWAYS AS (sha256(public_key)) STORED,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE INDEX api_keys_by_holder ON api_keys (holder_id, created_at DESC, id DESC);
CREATE INDEX api_keys_live_by_token ON api_keys (token_id) WHERE revoked_at IS NULL;

CALL protect('holders', 'id = scope_holder_id()');
CALL protect('digital_keys', 'holder_id = scope_holder_id()');
CALL protect('api_keys', 'holder_id = scope_holder_id()');

GRANT SELECT, UPDATE (email, primary_token_id) ON holders TO keyfront_service;
GRANT SELECT ON digital_keys TO keyfront_service;
GRANT SELECT, INSERT, UPDATE (key_name, revoked_at) ON api_keys TO keyfront_service;
GRANT SELECT, INSERT, UPDATE ON holders, digital_keys, api_keys TO keyfront_platform;

-- What wallets were asked to sign and have not handed in yet. A row goes with its use, or when its time is over.

CREATE TABLE sign_in_nonces (
  -- Of the nonce only the hash is kept: who reads this table can sign in as nobody.
  nonce_hash bytea PRIMARY KEY CHECK (octet_length(nonce_hash) = 32),
  wallet_address wallet_address NOT NULL,
  type text NOT NULL CHECK (type ~ '^[A-Za-z0-9_-]{1,32}$'),
  -- Waits here until the wallet has proved itself.
  email text CHECK (length(email) <= 254),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '5 minutes'
);
-- There is none by wallet on purpose: nothing may count or replace the nonces of a wallet, since anybody can ask for one.
CREATE INDEX sign_in_nonces_by_expiry ON sign_in_nonces (expires_at);

CALL protect('sign_in_nonces', 'wallet_address = scope_wallet_address()');

GRANT SELECT ON sign_in_nonces TO keyfront_service;
GRANT SELECT, INSERT, DELETE ON sign_in_nonces TO keyfront_platform;
-- For nothing but the row locks of the sweep, which PostgreSQL counts as updates.
GRANT UPDATE (expires_at) ON sign_in_nonces TO keyfront_platform;

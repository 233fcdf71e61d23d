-- Sales of digital keys by signature, and what the chain says about digital keys.

CREATE TABLE nft_sales (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  token_id token_number NOT NULL REFERENCES digital_keys,
  seller_id uuid NOT NULL REFERENCES holders,
  -- Exact to the wei.
  price numeric(36, 18) NOT NULL CHECK (price > 0),
  currency currency_code NOT NULL,
  state text NOT NULL DEFAULT 'DRAFT' CHECK (state IN ('DRAFT', 'LISTED', 'CANCELLED', 'SOLD')),
  -- Null in a listed sale if it was listed on the chain, and its signature never reached the service.
  listing_signature bytea,
  cancellation_signature bytea,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- That of the digital key.
  nonce bigint NOT NULL DEFAULT 0 CHECK (nonce >= 0)
);
CREATE UNIQUE INDEX nft_sales_one_open_per_token ON nft_sales (token_id) WHERE state IN ('DRAFT', 'LISTED');
CREATE INDEX nft_sales_by_seller ON nft_sales (seller_id, created_at DESC, id DESC);
CREATE INDEX nft_sales_by_token ON nft_sales (token_id, created_at DESC, id DESC);
CREATE TRIGGER touch BEFORE UPDATE ON nft_sales FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

-- A sale of another digital key is out of scope, also if the same holder owns both. The seller is part of the condition, so that whoever buys
-- the digital key does not see what its former owners have drafted.
CALL protect('nft_sales', 'token_id = scope_token_id() AND seller_id = scope_holder_id()');
GRANT SELECT, INSERT, UPDATE (state, listing_signature, cancellation_signature) ON nft_sales
  TO keyfront_service, keyfront_platform;

-- What everybody may read of a listed sale, and nothing else. A row exists exactly while the sale is LISTED. Triggers maintain it,
-- whoever changes the sale. Expired listings stay until the seller drafts the next sale, so readers compare expires_at.
CREATE TABLE nft_listings (
  sale_id uuid PRIMARY KEY REFERENCES nft_sales,
  token_id token_number NOT NULL UNIQUE,
  planet_id uuid NOT NULL REFERENCES planets,
  seller_address wallet_address NOT NULL,
  nonce bigint NOT NULL,
  price numeric(36, 18) NOT NULL,
  currency currency_code NOT NULL,
  -- Null if the sale was listed on the chain, and its signature never reached the service.
  signature bytea,
  listed_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX nft_listings_by_time ON nft_listings (listed_at, sale_id);
CREATE INDEX nft_listings_by_expiry ON nft_listings (expires_at, sale_id);
CREATE INDEX nft_listings_by_price ON nft_listings (price, sale_id);
CREATE INDEX nft_listings_by_planet ON nft_listings (planet_id);
CREATE INDEX nft_listings_by_seller ON nft_listings (seller_address);

-- Everybody reads all rows; a scope writes only those of its digital key.
CALL protect('nft_listings', 'token_id = scope_token_id()');
CREATE POLICY public_read ON nft_listings FOR SELECT TO keyfront_service USING (true);
GRANT SELECT, INSERT, DELETE ON nft_listings TO keyfront_service, keyfront_platform;

CREATE FUNCTION publish_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.nft_listings
    (sale_id, token_id, planet_id, seller_address, nonce, price, currency, signature, listed_at, expires_at)
  SELECT NEW.id, NEW.token_id, digital_keys.planet_id, holders.wallet_address, NEW.nonce, NEW.price, NEW.currency,
    NEW.listing_signature, NEW.updated_at, NEW.expires_at
  FROM keyfront.digital_keys, keyfront.holders
  WHERE digital_keys.token_id = NEW.token_id AND holders.id = NEW.seller_id;
  RETURN NULL;
END
$$;
CREATE FUNCTION unpublish_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM keyfront.nft_listings WHERE sale_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER publish_new AFTER INSERT ON nft_sales FOR EACH ROW
  WHEN (NEW.state = 'LISTED') EXECUTE FUNCTION publish_listing();
CREATE TRIGGER publish AFTER UPDATE OF state ON nft_sales FOR EACH ROW
  WHEN (NEW.state = 'LISTED' AND OLD.state <> 'LISTED') EXECUTE FUNCTION publish_listing();
CREATE TRIGGER unpublish AFTER UPDATE OF state ON nft_sales FOR EACH ROW
  WHEN (NEW.state <> 'LISTED' AND OLD.state = 'LISTED') EXECUTE FUNCTION unpublish_listing();

-- Events of sales. A draft is nobody's business but its author's. A reorganised chain returns a sale to an earlier state: that is reported with
-- the transaction that it undoes.
CREATE FUNCTION record_nft_sale_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  secret text[] := '{listing_signature,cancellation_signature}';
  later jsonb := to_jsonb(NEW) - secret;
BEGIN
  -- Whoever buys the digital key reads the event too, and may not read the row of the seller.
  later := later || jsonb_build_object('seller_address', (
    SELECT wallet_address FROM keyfront.holders WHERE id = NEW.seller_id
  ));
  INSERT INTO keyfront.events (token_id, type, snapshot, previous)
  VALUES (NEW.token_id, 'nft_sale.' || lower(NEW.state), later,
    keyfront.previous_values(to_jsonb(OLD) - secret - 'updated_at', later));
  RETURN NULL;
END
$$;
CREATE TRIGGER record_change AFTER UPDATE OF state ON nft_sales FOR EACH ROW
  WHEN (OLD.state = 'DRAFT' AND NEW.state = 'LISTED' OR OLD.state = 'LISTED' AND NEW.state = 'CANCELLED'
    OR OLD.state <> 'SOLD' AND NEW.state = 'SOLD')
  EXECUTE FUNCTION record_nft_sale_event();

-- What happened to digital keys and their sales.
CREATE TABLE transactions (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  type text NOT NULL CHECK (type IN ('MINT', 'TRANSFER', 'LIST', 'LIST_CANCEL', 'SALE')),
  token_id token_number NOT NULL,
  from_address wallet_address,
  to_address wallet_address,
  -- A price on the chain is any number of wei that fits 256 bits.
  price numeric(78, 18) CHECK (price >= 0),
  currency currency_code,
  sale_id uuid REFERENCES nft_sales,
  -- Where on the chain it happened. Null for a listing by signature alone.
  chain_id bigint,
  tx_hash text CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer CHECK (log_index >= 0),
  block_number bigint CHECK (block_number >= 0),
  occurred_at timestamptz(3) NOT NULL,
  -- Written when a signature moved a sale here, or read from the chain. A sale is listed once and cancelled once: when the chain confirms what
  -- a signature did, the row gets its place on the chain.
  origin text NOT NULL CHECK (origin IN ('SIGNATURE', 'CHAIN')),
  UNIQUE (chain_id, tx_hash, log_index),
  CHECK (num_nulls(chain_id, tx_hash, log_index, block_number) IN (0, 4)),
  CHECK (from_address IS NOT NULL OR to_address IS NOT NULL),
  CHECK ((price IS NULL) = (currency IS NULL))
);
CREATE INDEX transactions_by_sender ON transactions (from_address, occurred_at DESC, id DESC);
CREATE INDEX transactions_by_receiver ON transactions (to_address, occurred_at DESC, id DESC);
CREATE INDEX transactions_by_block ON transactions (chain_id, block_number);
CREATE UNIQUE INDEX transactions_of_sale ON transactions (sale_id, type) WHERE type IN ('LIST', 'LIST_CANCEL', 'SALE');
CREATE INDEX transactions_by_token ON transactions (token_id, occurred_at DESC, id DESC);

CALL protect('transactions', 'from_address = scope_wallet_address() OR to_address = scope_wallet_address()');
GRANT SELECT, INSERT ON transactions TO keyfront_service, keyfront_platform;
-- A reorganised chain deletes what its orphaned blocks said.
GRANT UPDATE (chain_id, tx_hash, log_index, block_number), DELETE ON transactions TO keyfront_platform;

-- Events: what the chain did to a digital key, and what a reorganised chain no longer says.
CREATE FUNCTION record_chain_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO keyfront.events (token_id, type, snapshot) VALUES (NEW.token_id, 'nft.transferred', to_jsonb(NEW));
  ELSE
    INSERT INTO keyfront.events (token_id, type, snapshot) VALUES (OLD.token_id, 'nft.reorganised', to_jsonb(OLD));
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER record_transfer AFTER INSERT ON transactions FOR EACH ROW
  WHEN (NEW.type = 'TRANSFER' AND current_setting('keyfront.is_seeding', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION record_chain_event();
CREATE TRIGGER record_reorganisation AFTER DELETE ON transactions FOR EACH ROW EXECUTE FUNCTION record_chain_event();

-- How far the chain is read, for each pair of contracts.
CREATE TABLE chain_positions (
  chain_id bigint NOT NULL,
  token_contract wallet_address NOT NULL,
  marketplace_contract wallet_address NOT NULL,
  -- The last block that was read into the tables; one before the first while there is none.
  block_number bigint NOT NULL,
  finalized_number bigint NOT NULL,
  -- Why the reader has stopped for good: only a person can say what to do.
  alarm text,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (chain_id, token_contract, marketplace_contract)
);
CREATE TRIGGER touch BEFORE UPDATE ON chain_positions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

-- The blocks that may still be reorganised, and the finalised one below them.
CREATE TABLE chain_blocks (
  chain_id bigint NOT NULL,
  number bigint NOT NULL,
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  parent_hash text NOT NULL CHECK (parent_hash ~ '^0x[0-9a-f]{64}$'),
  PRIMARY KEY (chain_id, number)
);

-- What was there before a block that may still be reorganised changed it. Undone from the last to the first.
CREATE TABLE chain_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  chain_id bigint NOT NULL,
  block_number bigint NOT NULL,
  change jsonb NOT NULL
);
CREATE INDEX chain_changes_by_block ON chain_changes (chain_id, block_number, id);

GRANT SELECT, INSERT, UPDATE (block_number, finalized_number, alarm) ON chain_positions TO keyfront_platform;
GRANT SELECT, INSERT, DELETE ON chain_blocks, chain_changes TO keyfront_platform;
-- Every process reports the state of the reader.
GRANT SELECT ON chain_positions TO keyfront_service;

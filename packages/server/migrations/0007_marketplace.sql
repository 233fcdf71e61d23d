-- Sales of digital keys by signature, and what happened to them on the chain.

CREATE TABLE nft_sales (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  token_id token_number NOT NULL REFERENCES digital_keys,
  seller_id uuid NOT NULL REFERENCES holders,
  -- Exact to the wei.
  price numeric(36, 18) NOT NULL CHECK (price > 0),
  currency currency_code NOT NULL,
  state text NOT NULL DEFAULT 'DRAFT' CHECK (state IN ('DRAFT', 'LISTED', 'CANCELLED', 'SOLD')),
  listing_signature bytea,
  cancellation_signature bytea,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (state = 'DRAFT' OR state = 'CANCELLED' OR listing_signature IS NOT NULL)
);
CREATE UNIQUE INDEX nft_sales_one_open_per_token ON nft_sales (token_id) WHERE state IN ('DRAFT', 'LISTED');
CREATE INDEX nft_sales_by_seller ON nft_sales (seller_id, created_at DESC, id DESC);
CREATE INDEX nft_sales_by_token ON nft_sales (token_id, created_at DESC, id DESC);
CREATE TRIGGER touch BEFORE UPDATE ON nft_sales FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE transactions (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  type text NOT NULL CHECK (type IN ('MINT', 'TRANSFER', 'LIST', 'LIST_CANCEL', 'SALE')),
  token_id token_number NOT NULL,
  from_address wallet_address,
  to_address wallet_address,
  price numeric(36, 18) CHECK (price >= 0),
  currency currency_code,
  sale_id uuid REFERENCES nft_sales,
  -- Where on the chain it happened; a listing by signature alone happened nowhere on it.
  chain_id bigint,
  tx_hash text CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer CHECK (log_index >= 0),
  block_number bigint CHECK (block_number >= 0),
  occurred_at timestamptz(3) NOT NULL,
  UNIQUE (chain_id, tx_hash, log_index),
  CHECK (num_nulls(chain_id, tx_hash, log_index, block_number) IN (0, 4)),
  CHECK (from_address IS NOT NULL OR to_address IS NOT NULL),
  CHECK ((price IS NULL) = (currency IS NULL))
);
CREATE INDEX transactions_by_sender ON transactions (from_address, occurred_at DESC, id DESC);
CREATE INDEX transactions_by_receiver ON transactions (to_address, occurred_at DESC, id DESC);
CREATE INDEX transactions_by_block ON transactions (chain_id, block_number);

CALL protect('nft_sales', 'seller_id = scope_holder_id()');
CALL protect('transactions', 'from_address = scope_wallet_address() OR to_address = scope_wallet_address()');

GRANT SELECT, INSERT, UPDATE (state, listing_signature, cancellation_signature) ON nft_sales
  TO keyfront_service, keyfront_platform;
GRANT SELECT, INSERT ON transactions TO keyfront_service, keyfront_platform;
-- A reorganised chain takes back what its orphaned blocks said.
GRANT DELETE ON transactions TO keyfront_platform;

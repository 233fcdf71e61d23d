-- What the chain reader knows, and what it needs to take back what a reorganised chain no longer says.

-- A price on the chain is any number of wei that fits 256 bits.
ALTER TABLE transactions ALTER COLUMN price TYPE numeric(78, 18);
-- Written when a signature moved a sale here, or read from the chain. A sale is listed once and cancelled once: when the
-- chain confirms what a signature did, the row gets its place on the chain.
ALTER TABLE transactions ADD COLUMN origin text CHECK (origin IN ('SIGNATURE', 'CHAIN'));
-- Row-level security holds the owner too, so it rests for this moment.
ALTER TABLE transactions NO FORCE ROW LEVEL SECURITY;
UPDATE transactions SET origin = CASE WHEN chain_id IS NULL THEN 'SIGNATURE' ELSE 'CHAIN' END;
ALTER TABLE transactions FORCE ROW LEVEL SECURITY;
ALTER TABLE transactions ALTER COLUMN origin SET NOT NULL;
CREATE UNIQUE INDEX transactions_of_sale ON transactions (sale_id, type) WHERE type IN ('LIST', 'LIST_CANCEL', 'SALE');
CREATE INDEX transactions_by_token ON transactions (token_id, occurred_at DESC, id DESC);
GRANT UPDATE (chain_id, tx_hash, log_index, block_number) ON transactions TO keyfront_platform;

-- How far the chain is read, for each pair of contracts.
CREATE TABLE chain_positions (
  chain_id bigint NOT NULL,
  token_contract wallet_address NOT NULL,
  marketplace_contract wallet_address NOT NULL,
  -- The last block whose facts are in the tables; one before the first while there is none.
  block_number bigint NOT NULL,
  finalized_number bigint NOT NULL,
  -- Why the reader has stopped for good: only a person can say what to do.
  alarm text,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (chain_id, token_contract, marketplace_contract)
);
CREATE TRIGGER touch BEFORE UPDATE ON chain_positions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

-- The blocks that may still be reorganised, and the finalised one that they stand on.
CREATE TABLE chain_blocks (
  chain_id bigint NOT NULL,
  number bigint NOT NULL,
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  parent_hash text NOT NULL CHECK (parent_hash ~ '^0x[0-9a-f]{64}$'),
  PRIMARY KEY (chain_id, number)
);

-- How things were before a block that may still be reorganised changed them. Undone from the last to the first.
CREATE TABLE chain_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  chain_id bigint NOT NULL,
  block_number bigint NOT NULL,
  change jsonb NOT NULL
);
CREATE INDEX chain_changes_by_block ON chain_changes (chain_id, block_number, id);

GRANT SELECT, INSERT, UPDATE (block_number, finalized_number, alarm) ON chain_positions TO keyfront_platform;
GRANT SELECT, INSERT, DELETE ON chain_blocks, chain_changes TO keyfront_platform;
-- Every process shows how the reader fares.
GRANT SELECT ON chain_positions TO keyfront_service;
-- A mint that a reorganisation took back leaves no digital key behind.
GRANT DELETE ON digital_keys, sales, sale_history TO keyfront_platform;

-- What is listed on the chain was signed there; the signature need not have come by way of the service.
ALTER TABLE nft_sales DROP CONSTRAINT nft_sales_check;

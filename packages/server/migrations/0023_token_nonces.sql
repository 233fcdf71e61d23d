-- A listing names how often its digital key has changed its owner, so that it is void as soon as the digital key moves, even if
-- the digital key comes back. The token contract counts, and so does the chain reader.

-- The count belongs to one token contract. Null: the chain reader has counted nothing yet.
ALTER TABLE digital_keys ADD COLUMN nonce bigint NOT NULL DEFAULT 0 CHECK (nonce >= 0),
  ADD COLUMN nonce_contract wallet_address;
ALTER TABLE nft_sales ADD COLUMN nonce bigint NOT NULL DEFAULT 0 CHECK (nonce >= 0);

-- Row-level security also applies to the owner, so it is off for these statements.
ALTER TABLE digital_keys NO FORCE ROW LEVEL SECURITY;
ALTER TABLE transactions NO FORCE ROW LEVEL SECURITY;
ALTER TABLE nft_sales NO FORCE ROW LEVEL SECURITY;

-- Counts what an earlier version has read, if all of it comes from one contract.
UPDATE digital_keys SET nonce = counted.nonce, nonce_contract = contract.address
FROM (
  SELECT token_id, count(*) AS nonce FROM transactions
  WHERE chain_id IS NOT NULL AND type IN ('MINT', 'TRANSFER') AND from_address IS DISTINCT FROM to_address
  GROUP BY token_id
) AS counted, (
  SELECT min(token_contract) AS address FROM chain_positions HAVING count(DISTINCT (chain_id, token_contract)) = 1
) AS contract
WHERE digital_keys.token_id = counted.token_id;

-- The marketplace contract of this version does not accept signatures without the nonce, and that of an earlier version does not
-- accept those with it. Where a chain is followed, open sales end, and their owners draft them again.
UPDATE nft_sales SET state = 'CANCELLED'
WHERE state IN ('DRAFT', 'LISTED') AND EXISTS (SELECT FROM chain_positions);

ALTER TABLE digital_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE transactions FORCE ROW LEVEL SECURITY;
ALTER TABLE nft_sales FORCE ROW LEVEL SECURITY;

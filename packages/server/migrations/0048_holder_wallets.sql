-- no-transaction
-- Administrators find holders by the beginning of their wallet. The order of this index is that of the characters, whatever the
-- collation of the database.
CREATE INDEX CONCURRENTLY IF NOT EXISTS holders_by_wallet ON keyfront.holders (wallet_address COLLATE "C");

-- no-transaction
-- Callbacks find a client by the reference of their identity check. CONCURRENTLY, so that no write waits until the index
-- is built.

CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS clients_kyc_reference ON keyfront.clients (kyc_reference);

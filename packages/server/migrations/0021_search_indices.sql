-- no-transaction
-- The fields that clients and orders are searched by, with the digital key in front, so that a search reads the matching
-- rows and not the whole store.
--
-- CONCURRENTLY, so that no write waits until the index is built. Without fastupdate: the pending list would slow down every
-- search, and the write that has to flush it.

-- The operator class may be in another schema.
SELECT set_config('search_path', 'keyfront, ' || extnamespace::regnamespace, false)
FROM pg_extension WHERE extname = 'pg_trgm';

CREATE INDEX CONCURRENTLY IF NOT EXISTS clients_search ON keyfront.clients USING gin
  (token_id, (first_name || ' ' || last_name) gin_trgm_ops, email gin_trgm_ops) WITH (fastupdate = off);

CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_search ON keyfront.orders USING gin
  (token_id, invoice_number gin_trgm_ops) WITH (fastupdate = off);

SELECT set_config('search_path', 'keyfront', false);

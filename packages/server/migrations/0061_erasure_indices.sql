-- no-transaction
-- How an erasure finds what is about a client, however much its holder has. Each index contains only what can be about one.

CREATE INDEX CONCURRENTLY IF NOT EXISTS idempotency_keys_by_subject ON keyfront.idempotency_keys (subject_id)
  WHERE subject_id IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS events_by_client ON keyfront.events (keyfront.event_client_id(type, snapshot))
  WHERE token_id IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_by_event
  ON keyfront.webhook_deliveries (event_transaction_number, event_sequence_number) WHERE event_transaction_number IS NOT NULL;

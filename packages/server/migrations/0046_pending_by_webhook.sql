-- no-transaction
-- How many deliveries of a webhook are not sent yet.
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_pending_by_webhook ON webhook_deliveries (webhook_id)
  WHERE status = 'PENDING';

-- Erasing a client reaches every copy of its data: stored responses, what receivers of webhooks have answered, and return addresses of
-- checkouts. A later migration makes the indexes by which these are found.

-- What the response has personal data of: a client, or an order or delivery about one. Null in responses of the version before,
-- which are deleted after a day.
ALTER TABLE idempotency_keys ADD COLUMN subject_id uuid;
GRANT UPDATE (subject_id) ON idempotency_keys TO keyfront_service, keyfront_platform;

-- Whether the client of the event was erased. What the receiver answers may repeat what it was sent before, and is not kept.
ALTER TABLE webhook_deliveries ADD COLUMN is_erased boolean NOT NULL DEFAULT false;

GRANT UPDATE (return_url) ON payment_checkouts TO keyfront_platform;

-- The client that an event is about. Null if it is about none.
CREATE FUNCTION event_client_id(event_type text, snapshot jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN event_type LIKE 'client.%' THEN snapshot ->> 'id' ELSE snapshot #>> '{client,id}' END;

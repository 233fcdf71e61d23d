-- no-transaction
-- An archived client no longer occupies its e-mail address, and clients are searched by phone number too.

ALTER TABLE keyfront.clients VALIDATE CONSTRAINT clients_other_shippings_is_list;
ALTER TABLE keyfront.clients VALIDATE CONSTRAINT clients_business_is_object;
ALTER TABLE keyfront.clients VALIDATE CONSTRAINT clients_verification_type;
ALTER TABLE keyfront.clients VALIDATE CONSTRAINT clients_deactivated_by;
ALTER TABLE keyfront.clients VALIDATE CONSTRAINT clients_erased_are_archived;

CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS clients_email_in_use ON keyfront.clients (token_id, lower(email))
  WHERE archived_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS keyfront.clients_email;

-- The operator class may be in another schema.
SELECT set_config('search_path', 'keyfront, ' || extnamespace::regnamespace, false)
FROM pg_extension WHERE extname = 'pg_trgm';

CREATE INDEX CONCURRENTLY IF NOT EXISTS clients_contact_number_search ON keyfront.clients USING gin
  (token_id, contact_number gin_trgm_ops) WITH (fastupdate = off);

SELECT set_config('search_path', 'keyfront', false);

-- What a holder gives an API key: which signatures it is accepted with, what it may do, until when, and from where.

ALTER TABLE api_keys
  ADD COLUMN signatures text NOT NULL DEFAULT 'any',
  -- Null: everything.
  ADD COLUMN scopes text[],
  -- Null: until it is revoked.
  ADD COLUMN expires_at timestamptz(3),
  -- In CIDR notation. Null: any.
  ADD COLUMN allowed_networks text[],
  ADD COLUMN successor_id uuid;
-- NOT VALID saves reading the whole table under a lock. Every row satisfies them, because the columns are new.
ALTER TABLE api_keys
  ADD CONSTRAINT api_keys_signatures CHECK (signatures IN ('any', 'bound')) NOT VALID,
  ADD CONSTRAINT api_keys_scopes CHECK (cardinality(scopes) > 0) NOT VALID,
  ADD CONSTRAINT api_keys_networks CHECK (cardinality(allowed_networks) > 0) NOT VALID;
GRANT UPDATE (signatures, scopes, expires_at, allowed_networks, successor_id) ON api_keys TO keyfront_service;

-- Every process clears its cached keys before the change of a setting is acknowledged.
CREATE TRIGGER announce_settings BEFORE UPDATE OF signatures, scopes, expires_at, allowed_networks ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION announce_before_statement();

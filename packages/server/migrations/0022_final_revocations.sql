-- A reorganisation restores the API keys that a dropped transfer had revoked. It must never restore a key that its holder has
-- revoked, even if the transfer had revoked the key first.

-- Null for live keys, and for keys that were revoked before this column existed or by an earlier version. It is not known who
-- revoked those, so they stay revoked.
ALTER TABLE api_keys ADD COLUMN revoked_by text CHECK (revoked_by IN ('HOLDER', 'CHAIN'));
ALTER TABLE api_keys ADD CHECK (revoked_by IS NULL OR revoked_at IS NOT NULL);
GRANT UPDATE (revoked_by) ON api_keys TO keyfront_service;

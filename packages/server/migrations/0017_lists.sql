-- One index for each order in which a list is shown, so that a page costs the same in a large store as in a small one.

-- The whole platform, for administrators.
CREATE INDEX clients_by_creation_everywhere ON clients (created_at DESC, id DESC);
-- Carts, the one that changed last first.
CREATE INDEX carts_by_change ON carts (token_id, updated_at DESC, id DESC);
-- What happened to one thing, whatever it is, and what one administrator did.
CREATE INDEX audit_by_subject_id ON audit (subject_id, created_at DESC, id DESC);
CREATE INDEX audit_by_administrator ON audit (administrator, created_at DESC, id DESC);

-- Who has read a medical record, and why. The log of audits gets a third kind of author, the holder, and a third kind of action.

-- Not of the type wallet_address: PostgreSQL would rewrite the table to check its constraint.
ALTER TABLE audit ADD COLUMN holder text;
-- NOT VALID: they hold for every row that exists, and checking that would read the whole log.
ALTER TABLE audit
  DROP CONSTRAINT audit_author,
  DROP CONSTRAINT audit_action_check,
  DROP CONSTRAINT audit_check,
  ADD CONSTRAINT audit_author CHECK (num_nonnulls(administrator, provider, holder) = 1) NOT VALID,
  ADD CONSTRAINT audit_action_check CHECK (action IN ('CREATE', 'CHANGE', 'READ')) NOT VALID,
  ADD CONSTRAINT audit_holder CHECK (holder ~ '^0x[0-9a-f]{40}$') NOT VALID,
  ADD CONSTRAINT audit_before CHECK ((action = 'CHANGE') = (before IS NOT NULL)) NOT VALID;

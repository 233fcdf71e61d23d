-- Who has read a medical record, and why. The log of audits gets a third kind of author, the holder, and a third kind of action.

ALTER TABLE audit ADD COLUMN holder wallet_address;
-- NOT VALID: they hold for every row that exists, and checking that would read the whole log.
ALTER TABLE audit
  DROP CONSTRAINT audit_author,
  DROP CONSTRAINT audit_action_check,
  DROP CONSTRAINT audit_check,
  ADD CONSTRAINT audit_author CHECK (num_nonnulls(administrator, provider, holder) = 1) NOT VALID,
  ADD CONSTRAINT audit_action_check CHECK (action IN ('CREATE', 'CHANGE', 'READ')) NOT VALID,
  ADD CONSTRAINT audit_before CHECK ((action = 'CHANGE') = (before IS NOT NULL)) NOT VALID;

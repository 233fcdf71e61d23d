-- no-transaction
-- A page of the entries about one kind of subject, newest first. Entries about one subject are found by audit_by_subject_id.
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_by_subject_and_time ON keyfront.audit (subject, created_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS keyfront.audit_by_subject;

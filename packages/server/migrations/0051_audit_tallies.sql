-- How many entries the audit log has by subject and administrator, so that no page of it reads them all to count them. As with orders,
-- each statement leaves a row that nobody else touches, and a job adds these to the counters. The next migration counts what is there
-- already.
CREATE TABLE audit_tallies (
  subject text NOT NULL,
  -- Empty for entries of providers and holders.
  administrator text NOT NULL,
  entries bigint NOT NULL,
  PRIMARY KEY (subject, administrator)
);

CREATE TABLE audit_tally_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  subject text NOT NULL,
  administrator text NOT NULL,
  entries bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE FUNCTION tally_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.audit_tally_changes (subject, administrator, entries)
  SELECT subject, coalesce(administrator, ''), CASE TG_OP WHEN 'DELETE' THEN -count(*) ELSE count(*) END
  FROM changed GROUP BY 1, 2;
  RETURN NULL;
END
$$;
CREATE TRIGGER tally_new AFTER INSERT ON audit REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_audit();
-- The service deletes no entries. An operator may.
CREATE TRIGGER tally_deleted AFTER DELETE ON audit REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_audit();
CREATE FUNCTION clear_audit_tallies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM keyfront.audit_tallies;
  DELETE FROM keyfront.audit_tally_changes;
  RETURN NULL;
END
$$;
CREATE TRIGGER tally_emptied AFTER TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION clear_audit_tallies();

GRANT SELECT, INSERT, DELETE ON audit_tally_changes TO keyfront_platform;
GRANT SELECT, INSERT, UPDATE (entries) ON audit_tallies TO keyfront_platform;

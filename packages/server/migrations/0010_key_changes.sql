-- Tells every process when a credential that it may remember is no longer good, and lets whoever revoked it wait until
-- all of them have forgotten. The other side is database/change-feed.ts.

-- Each change gets a number. The lock is held until the commit, so numbers are given in the order of commits: whoever
-- has heard of one has heard of all before it.
CREATE SEQUENCE key_changes AS integer;
GRANT USAGE, SELECT ON SEQUENCE key_changes TO keyfront_service, keyfront_platform;

CREATE FUNCTION announce_key_change() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  change integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('keyfront key change', 0));
  change := nextval('keyfront.key_changes');
  PERFORM pg_notify('keyfront_key_changes', change::text);
  RETURN change;
END
$$;

-- Triggers, so that no way of revoking can forget it. Before the statement, so that it can return the number.
CREATE FUNCTION announce_before_statement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keyfront.announce_key_change();
  RETURN NULL;
END
$$;
CREATE TRIGGER announce_revocation BEFORE UPDATE OF revoked_at ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION announce_before_statement();
CREATE TRIGGER announce_change_of_hands BEFORE UPDATE OF holder_id ON digital_keys
  FOR EACH STATEMENT EXECUTE FUNCTION announce_before_statement();

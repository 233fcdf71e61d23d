-- Nothing in the audit log changes, except that erasing a client erases what was written about a person. The role of the service may update
-- both columns, so a trigger refuses every other change. Only the owner of the table can remove it.

-- Returns what is left of an entry when its free texts are erased.
CREATE FUNCTION erase_audit_texts(entry jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
  SELECT entry || coalesce((
    SELECT jsonb_object_agg(field, 'erased'::text) FROM unnest(ARRAY['rejectionNote', 'reason']) AS field WHERE entry ? field
  ), '{}')
$$;

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF NEW.before IS DISTINCT FROM OLD.before AND NEW.before IS DISTINCT FROM keyfront.erase_audit_texts(OLD.before)
    OR NEW.after IS DISTINCT FROM OLD.after AND NEW.after IS DISTINCT FROM keyfront.erase_audit_texts(OLD.after)
  THEN
    RAISE insufficient_privilege USING MESSAGE = 'An entry of the audit log cannot be changed';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER refuse_change BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

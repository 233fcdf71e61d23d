-- What administrators, providers and holders did: who, when, to what, and what was there before. Holders are in it when they read a medical
-- record. For administrators only.

CREATE TABLE audit (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  administrator wallet_address,
  -- The protocol lists the subjects; the database only checks their form.
  subject text NOT NULL CHECK (subject ~ '^[A-Z_]+$'),
  subject_id uuid NOT NULL,
  action text NOT NULL CHECK (action IN ('CREATE', 'CHANGE', 'READ')),
  -- Only the fields that changed. Null unless something was changed.
  before jsonb,
  after jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  provider text CONSTRAINT audit_provider CHECK (provider IN ('KYC', 'PAYMENT')),
  holder text CONSTRAINT audit_holder CHECK (holder ~ '^0x[0-9a-f]{40}$'),
  CONSTRAINT audit_author CHECK (num_nonnulls(administrator, provider, holder) = 1),
  CONSTRAINT audit_before CHECK ((action = 'CHANGE') = (before IS NOT NULL))
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX audit_by_time ON audit (created_at DESC, id DESC);
-- What happened to one thing, whatever it is, and what one administrator did.
CREATE INDEX audit_by_subject_id ON audit (subject_id, created_at DESC, id DESC);
CREATE INDEX audit_by_administrator ON audit (administrator, created_at DESC, id DESC);
-- A page of the entries about one kind of subject.
CREATE INDEX audit_by_subject_and_time ON audit (subject, created_at DESC, id DESC);

GRANT SELECT, INSERT, UPDATE (before, after) ON audit TO keyfront_platform;

-- Nothing in the audit log changes, except that erasing a client erases what was written about a person. The role of the service may update
-- both columns, so a trigger refuses every other change. Only the owner of the table can remove it.

-- Returns what is left of an entry when its free texts are erased.
CREATE FUNCTION erase_audit_texts(entry jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
  SELECT entry || coalesce((
    SELECT jsonb_object_agg(field, 'erased'::text) FROM unnest(ARRAY['rejectionNote', 'reason', 'trackingNumber', 'trackingUrl']) AS field WHERE entry ? field
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

-- How many entries there are by subject and administrator, so that no page of the log reads them all to count them.
CREATE TABLE audit_counters (
  subject text NOT NULL,
  -- Empty for entries of providers and holders.
  administrator text NOT NULL,
  entries bigint NOT NULL,
  PRIMARY KEY (subject, administrator)
);

CREATE TABLE audit_counter_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  subject text NOT NULL,
  administrator text NOT NULL,
  entries bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

GRANT SELECT, INSERT, DELETE ON audit_counter_changes TO keyfront_platform;
GRANT SELECT, INSERT, UPDATE (entries) ON audit_counters TO keyfront_platform;

CREATE FUNCTION count_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.audit_counter_changes (subject, administrator, entries)
  SELECT subject, coalesce(administrator, ''), CASE TG_OP WHEN 'DELETE' THEN -count(*) ELSE count(*) END
  FROM changed GROUP BY 1, 2;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_new AFTER INSERT ON audit REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_audit();
-- The service deletes no entries. An operator may.
CREATE TRIGGER count_deleted AFTER DELETE ON audit REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_audit();
CREATE FUNCTION clear_audit_counters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM keyfront.audit_counters;
  DELETE FROM keyfront.audit_counter_changes;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_emptied AFTER TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION clear_audit_counters();

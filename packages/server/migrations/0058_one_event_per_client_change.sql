-- A change of a client and of its medical record in one request is one event.
CREATE OR REPLACE FUNCTION record_client_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  internal text[] := '{kyc_reference,deactivated_by}';
  later jsonb := to_jsonb(NEW) - internal;
  earlier jsonb;
  types text[] := '{}';
BEGIN
  IF TG_OP = 'INSERT' THEN
    types := '{client.created}';
  ELSE
    earlier := keyfront.previous_values(to_jsonb(OLD) - internal - 'updated_at', later);
    -- The statement that changes the client says so if its medical record, which is in another table, changes with it.
    IF current_setting('keyfront.changes_medical_record', true) = 'on' THEN
      earlier := coalesce(earlier, '{}') || '{"medical_record": null}';
    END IF;
    -- Nothing that is visible has changed, or the client is being erased.
    IF earlier IS NULL OR earlier ? 'erased_at' THEN RETURN NULL; END IF;
    IF OLD.archived_at IS NULL AND NEW.archived_at IS NOT NULL THEN types := types || 'client.archived'::text; END IF;
    IF earlier ? 'admin_approval' AND NEW.admin_approval = 'VERIFIED' THEN types := types || 'client.approved'::text; END IF;
    IF earlier ? 'admin_approval' AND NEW.admin_approval = 'REJECTED' THEN types := types || 'client.rejected'::text; END IF;
    IF earlier ? 'is_kyc_verified' AND NEW.is_kyc_verified THEN types := types || 'client.kyc_verified'::text; END IF;
    IF earlier ? 'kyc_progress' AND NEW.kyc_progress = 'REJECTED' THEN types := types || 'client.kyc_rejected'::text; END IF;
    IF types = '{}' THEN types := '{client.updated}'; END IF;
  END IF;
  INSERT INTO keyfront.events (token_id, type, snapshot, previous)
  SELECT NEW.token_id, type, later, earlier FROM unnest(types) AS type;
  RETURN NULL;
END
$$;

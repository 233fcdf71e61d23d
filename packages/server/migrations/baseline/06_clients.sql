-- The clients of a digital key's storefront, their encrypted medical records, and their carts.

CREATE TABLE clients (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  token_id token_number NOT NULL REFERENCES digital_keys,
  first_name text NOT NULL CHECK (first_name <> ''),
  last_name text NOT NULL CHECK (last_name <> ''),
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  phone_code text NOT NULL DEFAULT '',
  phone_country_code text NOT NULL DEFAULT '',
  contact_number text NOT NULL DEFAULT '',
  shipping_address1 text NOT NULL DEFAULT '',
  shipping_address2 text NOT NULL DEFAULT '',
  shipping_city text NOT NULL DEFAULT '',
  shipping_state text NOT NULL DEFAULT '',
  shipping_country text NOT NULL DEFAULT '',
  shipping_country_code text NOT NULL DEFAULT '' CHECK (shipping_country_code ~ '^([A-Z]{3})?$'),
  shipping_postal_code text NOT NULL DEFAULT '',
  admin_approval text NOT NULL DEFAULT 'PENDING' CHECK (admin_approval IN ('PENDING', 'VERIFIED', 'REJECTED')),
  rejection_note text,
  is_kyc_verified boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  title text NOT NULL DEFAULT '',
  shipping_landmark text NOT NULL DEFAULT '',
  -- The default address is in the columns shipping_…; this is a list of the others.
  other_shippings jsonb NOT NULL DEFAULT '[]'
    CONSTRAINT clients_other_shippings_is_list CHECK (jsonb_typeof(other_shippings) = 'array'),
  business jsonb CONSTRAINT clients_business_is_object CHECK (jsonb_typeof(business) = 'object'),
  marketing_consent boolean NOT NULL DEFAULT false,
  verification_type text NOT NULL DEFAULT 'KYC' CONSTRAINT clients_verification_type CHECK (verification_type IN ('KYC', 'ID')),
  external_reference text NOT NULL DEFAULT '',
  metadata metadata_object NOT NULL DEFAULT '{}',
  -- When the present decision was made.
  approved_at timestamptz(3),
  rejected_at timestamptz(3),
  -- Null for active clients.
  deactivated_by text,
  archived_at timestamptz(3),
  erased_at timestamptz(3),
  -- What the provider of identity checks knows the client by. It cannot be guessed.
  kyc_reference uuid DEFAULT gen_random_uuid(),
  -- Where the client returns to from the identity check.
  kyc_return_url text CHECK (length(kyc_return_url) <= 2048),
  -- Null for a client who is verified or has not begun: `is_kyc_verified` is the one place that says whether a client is verified.
  kyc_progress text,
  kyc_verified_at timestamptz(3),
  -- What belongs to a client references both, so that nothing can reference the client of another digital key.
  UNIQUE (token_id, id),
  CONSTRAINT clients_deactivated_by
    CHECK (deactivated_by IS NULL OR NOT is_active AND deactivated_by IN ('HOLDER', 'ADMINISTRATOR')),
  CONSTRAINT clients_erased_are_archived CHECK (erased_at IS NULL OR archived_at IS NOT NULL),
  CONSTRAINT clients_kyc_progress
    CHECK (kyc_progress IS NULL OR kyc_progress IN ('PROCESSING', 'REJECTED') AND NOT is_kyc_verified)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);
CREATE INDEX clients_by_creation ON clients (token_id, created_at DESC, id DESC);
CREATE INDEX clients_by_approval ON clients (token_id, admin_approval);
-- The whole platform, for administrators.
CREATE INDEX clients_by_creation_everywhere ON clients (created_at DESC, id DESC);
-- An archived client no longer occupies its e-mail address.
CREATE UNIQUE INDEX clients_email_in_use ON clients (lower(email), token_id) WHERE archived_at IS NULL;
CREATE INDEX clients_by_external_reference ON clients (external_reference, token_id) WHERE external_reference <> '';
CREATE UNIQUE INDEX clients_kyc_reference ON clients (kyc_reference);
-- A search finds the rows with the text first, and looks for the digital key among them. With the digital key in front, PostgreSQL would look
-- for it once for every row with any three characters of the text. Without fastupdate: the pending list would slow down every search, and the
-- write that has to flush it.
CREATE INDEX clients_by_text ON clients USING gin
  ((first_name || ' ' || last_name) gin_trgm_ops, email gin_trgm_ops, token_id) WITH (fastupdate = off);
CREATE INDEX clients_by_contact_number ON clients USING gin (contact_number gin_trgm_ops, token_id) WITH (fastupdate = off);
ALTER TABLE clients ALTER COLUMN token_id SET (n_distinct = 20);
CREATE TRIGGER touch BEFORE UPDATE ON clients FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CALL protect('clients', 'token_id = scope_token_id()');
GRANT SELECT, INSERT ON clients TO keyfront_service;
-- The holder activates, deactivates and archives clients, and replaces the link of a client, which starts the identity check again. Approval
-- and KYC are for administrators only.
GRANT UPDATE (first_name, last_name, email, phone_code, phone_country_code, contact_number, shipping_address1, shipping_address2,
  shipping_city, shipping_state, shipping_country, shipping_country_code, shipping_postal_code, title, shipping_landmark, other_shippings,
  business, marketing_consent, verification_type, external_reference, metadata, is_active, deactivated_by, archived_at, kyc_reference, kyc_progress,
  kyc_return_url)
  ON clients TO keyfront_service;
GRANT SELECT, INSERT, UPDATE ON clients TO keyfront_platform;

-- A trigger, so that no way of writing can forget the time of a decision.
CREATE FUNCTION note_client_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.approved_at := CASE WHEN NEW.admin_approval = 'VERIFIED' THEN now() END;
  NEW.rejected_at := CASE WHEN NEW.admin_approval = 'REJECTED' THEN now() END;
  RETURN NEW;
END
$$;
CREATE TRIGGER note_decision BEFORE UPDATE ON clients FOR EACH ROW
  WHEN (OLD.admin_approval <> NEW.admin_approval) EXECUTE FUNCTION note_client_decision();

-- Clients are counted as they change: they are not created so often that they would wait for each other. Archived clients are not counted.
CREATE TABLE client_counters (
  token_id token_number NOT NULL,
  admin_approval text NOT NULL,
  is_kyc_verified boolean NOT NULL,
  is_active boolean NOT NULL,
  clients bigint NOT NULL,
  PRIMARY KEY (token_id, admin_approval, is_kyc_verified, is_active)
);
CALL protect('client_counters', 'token_id = scope_token_id()');
GRANT SELECT, INSERT, UPDATE (clients) ON client_counters TO keyfront_service, keyfront_platform;

CREATE FUNCTION count_clients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO keyfront.client_counters AS counter (token_id, admin_approval, is_kyc_verified, is_active, clients)
    SELECT token_id, admin_approval, is_kyc_verified, is_active, count(*) FROM added WHERE archived_at IS NULL
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (token_id, admin_approval, is_kyc_verified, is_active)
      DO UPDATE SET clients = counter.clients + excluded.clients;
  ELSE
    INSERT INTO keyfront.client_counters AS counter (token_id, admin_approval, is_kyc_verified, is_active, clients)
    SELECT token_id, admin_approval, is_kyc_verified, is_active, sum(change) FROM (
      SELECT token_id, admin_approval, is_kyc_verified, is_active, 1 AS change FROM added WHERE archived_at IS NULL
      UNION ALL
      SELECT token_id, admin_approval, is_kyc_verified, is_active, -1 FROM removed WHERE archived_at IS NULL
    ) AS changes
    GROUP BY 1, 2, 3, 4 HAVING sum(change) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (token_id, admin_approval, is_kyc_verified, is_active)
      DO UPDATE SET clients = counter.clients + excluded.clients;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_new AFTER INSERT ON clients REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_clients();
CREATE TRIGGER count_change AFTER UPDATE ON clients REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_clients();

-- Events of clients. The reference of the identity check is a secret, and medical records are in another table.
CREATE FUNCTION record_client_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  internal text[] := '{kyc_reference,kyc_return_url,deactivated_by}';
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
CREATE TRIGGER record_new AFTER INSERT ON clients FOR EACH ROW
  WHEN (current_setting('keyfront.is_seeding', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION record_client_events();
CREATE TRIGGER record_change AFTER UPDATE ON clients FOR EACH ROW EXECUTE FUNCTION record_client_events();

-- What events of orders and sales tell about their client.
CREATE FUNCTION client_contact(of_client uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', id, 'first_name', first_name, 'last_name', last_name, 'email', email)
  FROM keyfront.clients WHERE id = of_client
$$;

-- Medical records, in a table of their own, so that no list of clients can read them.
CREATE TABLE medical_records (
  client_id uuid PRIMARY KEY,
  token_id token_number NOT NULL,
  -- Tells which key encrypted the record. The key itself is not in the database.
  key_id text NOT NULL CHECK (key_id <> ''),
  ciphertext bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (token_id, client_id) REFERENCES clients (token_id, id)
);
-- Encrypted bytes cannot be compressed.
ALTER TABLE medical_records ALTER COLUMN ciphertext SET STORAGE EXTERNAL;
CREATE INDEX medical_records_by_key ON medical_records (key_id);

CALL protect('medical_records', 'token_id = scope_token_id()');
GRANT SELECT, INSERT, UPDATE (key_id, ciphertext, updated_at), DELETE ON medical_records TO keyfront_service;
-- Encrypting again after a change of the key, and erasing a client.
GRANT SELECT, UPDATE (key_id, ciphertext), DELETE ON medical_records TO keyfront_platform;

CREATE TABLE carts (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  token_id token_number NOT NULL,
  client_id uuid NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (token_id, client_id) REFERENCES clients (token_id, id),
  UNIQUE (token_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
-- Listed with the one that changed last first.
CREATE INDEX carts_by_change ON carts (token_id, updated_at DESC, id DESC);
ALTER TABLE carts ALTER COLUMN token_id SET (n_distinct = 20);
CREATE TRIGGER touch BEFORE UPDATE ON carts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE cart_items (
  cart_id uuid NOT NULL,
  strain_id uuid NOT NULL REFERENCES strains,
  token_id token_number NOT NULL,
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 1000),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (cart_id, strain_id),
  FOREIGN KEY (token_id, cart_id) REFERENCES carts (token_id, id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
ALTER TABLE cart_items ALTER COLUMN token_id SET (n_distinct = 20);

CALL protect('carts', 'token_id = scope_token_id()');
CALL protect('cart_items', 'token_id = scope_token_id()');
GRANT SELECT, INSERT, UPDATE, DELETE ON carts, cart_items TO keyfront_service, keyfront_platform;

-- Whoever changes a cart has locked its client, so that no two statements fill or empty one cart at a time.
CREATE FUNCTION count_filled_carts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.counter_changes (token_id, kind, state, entries)
  SELECT token_id, 'cart', 'FILLED', count(*)
  FROM (SELECT token_id, cart_id, count(*) AS items FROM added GROUP BY token_id, cart_id) AS filled
  WHERE items = (SELECT count(*) FROM keyfront.cart_items WHERE cart_items.cart_id = filled.cart_id)
  GROUP BY token_id;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_emptied_carts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.counter_changes (token_id, kind, state, entries)
  SELECT token_id, 'cart', 'FILLED', -count(*)
  FROM (SELECT DISTINCT token_id, cart_id FROM removed) AS emptied
  WHERE NOT EXISTS (SELECT FROM keyfront.cart_items WHERE cart_items.cart_id = emptied.cart_id)
  GROUP BY token_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_filled AFTER INSERT ON cart_items REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_filled_carts();
-- `place_orders` counts by itself.
CREATE TRIGGER count_emptied AFTER DELETE ON cart_items REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION count_emptied_carts();

-- What storefronts know about their clients beyond contact and address, clients that are archived or erased, and encrypted
-- medical records.

ALTER TABLE clients
  ADD COLUMN title text NOT NULL DEFAULT '',
  ADD COLUMN shipping_landmark text NOT NULL DEFAULT '',
  -- The default address is in the columns shipping_…; this is a list of the others.
  ADD COLUMN other_shippings jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN business jsonb,
  ADD COLUMN marketing_consent boolean NOT NULL DEFAULT false,
  ADD COLUMN verification_type text NOT NULL DEFAULT 'KYC',
  ADD COLUMN external_reference text NOT NULL DEFAULT '',
  -- When the present decision was made. Null for decisions that were made before these columns existed.
  ADD COLUMN approved_at timestamptz(3),
  ADD COLUMN rejected_at timestamptz(3),
  -- Null for active clients, and for those that an administrator deactivated before this column existed.
  ADD COLUMN deactivated_by text,
  ADD COLUMN archived_at timestamptz(3),
  ADD COLUMN erased_at timestamptz(3),
  -- The next migration validates the constraints, because that reads all clients.
  ADD CONSTRAINT clients_other_shippings_is_list CHECK (jsonb_typeof(other_shippings) = 'array') NOT VALID,
  ADD CONSTRAINT clients_business_is_object CHECK (jsonb_typeof(business) = 'object') NOT VALID,
  ADD CONSTRAINT clients_verification_type CHECK (verification_type IN ('KYC', 'ID')) NOT VALID,
  ADD CONSTRAINT clients_deactivated_by
    CHECK (deactivated_by IS NULL OR NOT is_active AND deactivated_by IN ('HOLDER', 'ADMINISTRATOR')) NOT VALID,
  ADD CONSTRAINT clients_erased_are_archived CHECK (erased_at IS NULL OR archived_at IS NOT NULL) NOT VALID;

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

-- Archived clients are not counted.
CREATE OR REPLACE FUNCTION tally_clients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO keyfront.client_tallies AS tally (token_id, admin_approval, is_kyc_verified, is_active, clients)
    SELECT token_id, admin_approval, is_kyc_verified, is_active, count(*) FROM added WHERE archived_at IS NULL
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (token_id, admin_approval, is_kyc_verified, is_active)
      DO UPDATE SET clients = tally.clients + excluded.clients;
  ELSE
    INSERT INTO keyfront.client_tallies AS tally (token_id, admin_approval, is_kyc_verified, is_active, clients)
    SELECT token_id, admin_approval, is_kyc_verified, is_active, sum(change) FROM (
      SELECT token_id, admin_approval, is_kyc_verified, is_active, 1 AS change FROM added WHERE archived_at IS NULL
      UNION ALL
      SELECT token_id, admin_approval, is_kyc_verified, is_active, -1 FROM removed WHERE archived_at IS NULL
    ) AS changes
    GROUP BY 1, 2, 3, 4 HAVING sum(change) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (token_id, admin_approval, is_kyc_verified, is_active)
      DO UPDATE SET clients = tally.clients + excluded.clients;
  END IF;
  RETURN NULL;
END
$$;

-- The holder activates, deactivates and archives clients. Approval and KYC stay with the administrators.
GRANT UPDATE (title, shipping_landmark, other_shippings, business, marketing_consent, verification_type, external_reference,
  is_active, deactivated_by, archived_at) ON clients TO keyfront_service;

-- In a table of its own, so that no list of clients can read it.
CREATE TABLE medical_records (
  client_id uuid PRIMARY KEY,
  token_id token_number NOT NULL,
  -- Tells which key encrypted the record. The key itself is not in the database.
  key_id text NOT NULL CHECK (key_id <> ''),
  ciphertext bytea NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (token_id, client_id) REFERENCES clients (token_id, id)
);
-- Encrypted bytes cannot be compressed.
ALTER TABLE medical_records ALTER COLUMN ciphertext SET STORAGE EXTERNAL;
CREATE INDEX medical_records_by_key ON medical_records (key_id);
CALL protect('medical_records', 'token_id = scope_token_id()');

GRANT SELECT, INSERT, UPDATE (key_id, ciphertext, updated_at), DELETE ON medical_records TO keyfront_service;
-- Encrypting again after a change of the key.
GRANT SELECT, UPDATE (key_id, ciphertext) ON medical_records TO keyfront_platform;

-- Erasing a client removes every free text about it.
GRANT DELETE ON medical_records, carts, cart_items TO keyfront_platform;
GRANT UPDATE (note, shipping) ON orders TO keyfront_platform;
GRANT UPDATE (description) ON sale_history TO keyfront_platform;
GRANT UPDATE (rejection_note) ON order_history TO keyfront_platform;
GRANT UPDATE (before, after) ON audit TO keyfront_platform;

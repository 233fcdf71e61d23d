-- The customers of a digital key's storefront, and what lies in their carts.

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
  -- What belongs to a client names both, so nothing can hang on another digital key's client.
  UNIQUE (token_id, id)
);
CREATE UNIQUE INDEX clients_email ON clients (token_id, lower(email));
CREATE INDEX clients_by_creation ON clients (token_id, created_at DESC, id DESC);
CREATE INDEX clients_by_approval ON clients (token_id, admin_approval);
CREATE TRIGGER touch BEFORE UPDATE ON clients FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE carts (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  token_id token_number NOT NULL,
  client_id uuid NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (token_id, client_id) REFERENCES clients (token_id, id),
  UNIQUE (token_id, id)
);
CREATE TRIGGER touch BEFORE UPDATE ON carts FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE cart_items (
  cart_id uuid NOT NULL,
  strain_id uuid NOT NULL REFERENCES strains,
  token_id token_number NOT NULL,
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 1000),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (cart_id, strain_id),
  FOREIGN KEY (token_id, cart_id) REFERENCES carts (token_id, id) ON DELETE CASCADE
);

CALL protect('clients', 'token_id = scope_token_id()');
CALL protect('carts', 'token_id = scope_token_id()');
CALL protect('cart_items', 'token_id = scope_token_id()');

GRANT SELECT, INSERT ON clients TO keyfront_service;
-- Approval, KYC and activity are the administrators' alone.
GRANT UPDATE (first_name, last_name, email, phone_code, phone_country_code, contact_number, shipping_address1,
  shipping_address2, shipping_city, shipping_state, shipping_country, shipping_country_code, shipping_postal_code)
  ON clients TO keyfront_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON carts, cart_items TO keyfront_service;
GRANT SELECT, INSERT, UPDATE ON clients, carts, cart_items TO keyfront_platform;

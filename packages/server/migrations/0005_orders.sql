-- Orders and their lines. A line keeps the name and the price of the moment of the order.

CREATE TABLE orders (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  token_id token_number NOT NULL REFERENCES digital_keys,
  client_id uuid NOT NULL,
  invoice_number text NOT NULL UNIQUE CHECK (invoice_number <> ''),
  order_status text NOT NULL DEFAULT 'PENDING'
    CHECK (order_status IN ('PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED')),
  payment_status text NOT NULL DEFAULT 'PENDING'
    CHECK (payment_status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'REFUNDED')),
  admin_approval text NOT NULL DEFAULT 'PENDING' CHECK (admin_approval IN ('PENDING', 'VERIFIED', 'REJECTED')),
  rejection_note text,
  total_amount numeric(14, 2) NOT NULL CHECK (total_amount >= 0),
  total_quantity integer NOT NULL CHECK (total_quantity > 0),
  currency currency_code NOT NULL,
  -- Set when a cancellation or a rejection gave the stock back, so that it happens once.
  stock_returned_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (token_id, client_id) REFERENCES clients (token_id, id),
  UNIQUE (token_id, id)
);
-- One index for each order in which a store can be listed; the id makes every one of them total.
CREATE INDEX orders_by_creation ON orders (token_id, created_at, id);
CREATE INDEX orders_by_update ON orders (token_id, updated_at, id);
CREATE INDEX orders_by_amount ON orders (token_id, total_amount, id);
CREATE INDEX orders_by_invoice ON orders (token_id, invoice_number, id);
CREATE INDEX orders_by_client ON orders (client_id, created_at);
-- The whole platform, for administrators.
CREATE INDEX orders_by_creation_everywhere ON orders (created_at, id);
CREATE TRIGGER touch BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE order_lines (
  order_id uuid NOT NULL,
  line_number smallint NOT NULL CHECK (line_number > 0),
  token_id token_number NOT NULL,
  strain_id uuid NOT NULL REFERENCES strains,
  strain_name text NOT NULL,
  unit_price numeric(12, 2) NOT NULL CHECK (unit_price >= 0),
  quantity integer NOT NULL CHECK (quantity > 0),
  line_amount numeric(14, 2) NOT NULL GENERATED ALWAYS AS (unit_price * quantity) STORED,
  PRIMARY KEY (order_id, line_number),
  UNIQUE (order_id, strain_id),
  FOREIGN KEY (token_id, order_id) REFERENCES orders (token_id, id)
);

CALL protect('orders', 'token_id = scope_token_id()');
CALL protect('order_lines', 'token_id = scope_token_id()');

GRANT SELECT, INSERT ON orders, order_lines TO keyfront_service, keyfront_platform;
-- Administrators move an order through its life; its lines never change.
GRANT UPDATE (order_status, payment_status, admin_approval, rejection_note, stock_returned_at)
  ON orders TO keyfront_platform;

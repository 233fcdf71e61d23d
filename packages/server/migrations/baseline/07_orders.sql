-- Orders, their lines, their history and their counters.

CREATE TABLE orders (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  -- No foreign key to the digital key: the client has it.
  token_id token_number NOT NULL,
  client_id uuid NOT NULL,
  invoice_number text NOT NULL UNIQUE CHECK (invoice_number <> ''),
  order_status text NOT NULL DEFAULT 'PENDING'
    CHECK (order_status IN ('PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED')),
  payment_status text NOT NULL DEFAULT 'PENDING'
    CHECK (payment_status IN ('PENDING', 'PROCESSING', 'PAID', 'FAILED', 'REFUNDED')),
  admin_approval text NOT NULL DEFAULT 'PENDING' CHECK (admin_approval IN ('PENDING', 'VERIFIED', 'REJECTED')),
  rejection_note text,
  total_amount numeric(14, 2) NOT NULL CHECK (total_amount >= 0),
  total_quantity integer NOT NULL CHECK (total_quantity > 0),
  currency currency_code NOT NULL,
  -- Set when a cancellation or a rejection gave the stock back, so that it happens once.
  stock_returned_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- What the order ships to. A line took its stock from the location of its strain in the country of the address.
  shipping jsonb,
  -- The note of the customer.
  note text,
  delivery_charge numeric(12, 2) NOT NULL DEFAULT 0,
  -- The id of the order in the system of the storefront.
  external_reference text NOT NULL DEFAULT '',
  metadata metadata_object NOT NULL DEFAULT '{}',
  -- The tax that the total contains, by the rate of the country when the order was placed.
  tax_rate numeric(5, 2) NOT NULL DEFAULT 0 CHECK (tax_rate BETWEEN 0 AND 100),
  tax_amount numeric(14, 2) NOT NULL DEFAULT 0 CHECK (tax_amount BETWEEN 0 AND total_amount),
  -- What has arrived, and what of it went back. A customer may pay twice, and may pay an order that is cancelled meanwhile.
  paid_amount numeric(16, 2) NOT NULL DEFAULT 0,
  refunded_amount numeric(16, 2) NOT NULL DEFAULT 0 CHECK (refunded_amount BETWEEN 0 AND paid_amount),
  -- What of the total was for goods that were refunded.
  returned_amount numeric(14, 2) NOT NULL DEFAULT 0 CHECK (returned_amount BETWEEN 0 AND total_amount),
  -- What the customer has paid beyond what the order costs.
  refund_due numeric(16, 2) NOT NULL GENERATED ALWAYS AS (greatest(
    paid_amount - refunded_amount - CASE WHEN order_status = 'CANCELLED' THEN 0 ELSE total_amount - returned_amount END, 0)) STORED,
  CONSTRAINT orders_payment_check CHECK (
    (paid_amount = 0 OR payment_status IN ('PAID', 'REFUNDED'))
    AND (payment_status <> 'REFUNDED' OR refunded_amount = paid_amount)
  ),
  CONSTRAINT orders_delivery_charge_check CHECK (delivery_charge >= 0 AND delivery_charge <= total_amount),
  FOREIGN KEY (token_id, client_id) REFERENCES clients (token_id, id),
  UNIQUE (token_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);
-- One index for each order in which a store can be listed. The id makes every one of them total.
CREATE INDEX orders_by_creation ON orders (token_id, created_at, id);
CREATE INDEX orders_by_update ON orders (token_id, updated_at, id);
CREATE INDEX orders_by_amount ON orders (token_id, total_amount, id);
CREATE INDEX orders_by_invoice ON orders (token_id, invoice_number, id);
CREATE INDEX orders_by_client ON orders (client_id, created_at);
-- The digital key is the second column, so that administrators find a reference of any digital key.
CREATE UNIQUE INDEX orders_external_reference ON orders (external_reference, token_id) WHERE external_reference <> '';
-- Few orders wait for a refund.
CREATE INDEX orders_by_refund_due ON orders (token_id, created_at, id) WHERE refund_due > 0;
-- The whole platform, for administrators.
CREATE INDEX orders_by_creation_everywhere ON orders (created_at, id);
-- An order has fifteen trigrams. Inserting each on its own would take half of the time of an order. With fastupdate, orders wait in a list
-- that is merged into the index when it has half a megabyte, which is about a thousand orders. A search reads the list too.
CREATE INDEX orders_by_text ON orders USING gin (invoice_number gin_trgm_ops, token_id)
  WITH (fastupdate = on, gin_pending_list_limit = 512);
ALTER TABLE orders ALTER COLUMN token_id SET (n_distinct = 20);
CREATE TRIGGER touch BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

-- A line has the name and the price of the moment of the order, which never change.
CREATE TABLE order_lines (
  order_id uuid NOT NULL,
  line_number smallint NOT NULL CHECK (line_number > 0),
  token_id token_number NOT NULL,
  strain_id uuid NOT NULL REFERENCES strains,
  strain_name text NOT NULL,
  unit_price numeric(12, 2) NOT NULL CHECK (unit_price >= 0),
  quantity integer NOT NULL CHECK (quantity > 0),
  line_amount numeric(14, 2) NOT NULL GENERATED ALWAYS AS (unit_price * quantity) STORED,
  -- How many of the units were sent, were refunded, and came back to the stock with their refund.
  shipped_quantity integer NOT NULL DEFAULT 0 CHECK (shipped_quantity BETWEEN 0 AND quantity),
  refunded_quantity integer NOT NULL DEFAULT 0 CHECK (refunded_quantity BETWEEN 0 AND quantity),
  restocked_quantity integer NOT NULL DEFAULT 0 CHECK (restocked_quantity BETWEEN 0 AND refunded_quantity),
  PRIMARY KEY (order_id, line_number),
  UNIQUE (order_id, strain_id),
  FOREIGN KEY (token_id, order_id) REFERENCES orders (token_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE order_lines ALTER COLUMN token_id SET (n_distinct = 20);

CALL protect('orders', 'token_id = scope_token_id()');
CALL protect('order_lines', 'token_id = scope_token_id()');
GRANT SELECT, INSERT ON orders, order_lines TO keyfront_service, keyfront_platform;
-- Erasing a client removes the note, the address and the metadata.
GRANT UPDATE (order_status, payment_status, admin_approval, rejection_note, stock_returned_at, note, shipping, metadata, paid_amount,
  refunded_amount, returned_amount) ON orders TO keyfront_platform;
GRANT UPDATE (shipped_quantity, refunded_quantity, restocked_quantity) ON order_lines TO keyfront_platform;
-- A holder cancels orders, tries failed payments again, and notes references. Two triggers refuse any other change of the state.
GRANT UPDATE (order_status, payment_status, stock_returned_at, external_reference, metadata) ON orders TO keyfront_service;

-- A holder may cancel an order that nobody has worked on, and may not change its status otherwise.
CREATE FUNCTION guard_order_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user = 'keyfront_service' AND NOT (NEW.order_status = 'CANCELLED' AND OLD.order_status = 'PENDING'
      AND OLD.admin_approval = 'PENDING' AND OLD.payment_status IN ('PENDING', 'FAILED')) THEN
    RAISE EXCEPTION 'permission denied to change the order' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard_status BEFORE UPDATE OF order_status ON orders FOR EACH ROW EXECUTE FUNCTION guard_order_status();

-- A holder may try a failed payment again. Whether an order is paid, only the provider and administrators say.
CREATE FUNCTION refuse_payment_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A holder may only return a failed payment to PENDING' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER limit_payment_change BEFORE UPDATE OF payment_status ON orders FOR EACH ROW
  WHEN (current_user = 'keyfront_service' AND OLD.payment_status <> NEW.payment_status
    AND (OLD.payment_status <> 'FAILED' OR NEW.payment_status <> 'PENDING'))
  EXECUTE FUNCTION refuse_payment_change();

-- `place_orders` writes history, counters and events by itself. While it runs, the triggers that write them for everybody else do nothing.
-- Their condition calls no function of ours: PostgreSQL reads and plans it anew for each statement.

-- Every state that an order was in, with its time and author. A trigger writes it, so that no way of writing can forget it.
CREATE TABLE order_history (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  order_id uuid NOT NULL,
  token_id token_number NOT NULL,
  order_status text NOT NULL,
  payment_status text NOT NULL,
  admin_approval text NOT NULL,
  rejection_note text,
  changed_at timestamptz(3) NOT NULL,
  author text NOT NULL CHECK (author IN ('HOLDER', 'ADMINISTRATOR', 'SERVICE')),
  -- Null: the service did it by itself.
  author_address wallet_address,
  FOREIGN KEY (token_id, order_id) REFERENCES orders (token_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX order_history_by_order ON order_history (order_id, id);
ALTER TABLE order_history ALTER COLUMN token_id SET (n_distinct = 20);

CALL protect('order_history', 'token_id = scope_token_id()');
GRANT SELECT, INSERT ON order_history TO keyfront_service, keyfront_platform;
-- Erasing a client removes the note.
GRANT UPDATE (rejection_note) ON order_history TO keyfront_platform;

CREATE FUNCTION keep_order_history() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  address text := keyfront.scope_wallet_address();
BEGIN
  INSERT INTO keyfront.order_history (order_id, token_id, order_status, payment_status, admin_approval, rejection_note,
    changed_at, author, author_address)
  VALUES (NEW.id, NEW.token_id, NEW.order_status, NEW.payment_status, NEW.admin_approval, NEW.rejection_note,
    NEW.updated_at,
    CASE WHEN address IS NULL THEN 'SERVICE' WHEN current_user = 'keyfront_service' THEN 'HOLDER' ELSE 'ADMINISTRATOR' END,
    address);
  RETURN NULL;
END
$$;
CREATE TRIGGER keep_history_of_new AFTER INSERT ON orders FOR EACH ROW
  WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION keep_order_history();
CREATE TRIGGER keep_history_of_change AFTER UPDATE ON orders FOR EACH ROW
  WHEN (OLD.order_status <> NEW.order_status OR OLD.payment_status <> NEW.payment_status
    OR OLD.admin_approval <> NEW.admin_approval OR OLD.rejection_note IS DISTINCT FROM NEW.rejection_note)
  EXECUTE FUNCTION keep_order_history();

-- The counters of orders, by day and over all days.
CREATE TABLE order_counters (
  token_id token_number NOT NULL,
  -- In UTC. -infinity: all days together.
  day date NOT NULL,
  order_status text NOT NULL,
  payment_status text NOT NULL,
  admin_approval text NOT NULL,
  currency currency_code NOT NULL,
  -- Lists count the orders that they have, and statistics the archived ones too.
  is_archived boolean NOT NULL DEFAULT false,
  orders bigint NOT NULL,
  quantity bigint NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (token_id, day, order_status, payment_status, admin_approval, currency, is_archived)
);

CREATE TABLE order_counter_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  token_id token_number NOT NULL,
  day date NOT NULL,
  order_status text NOT NULL,
  payment_status text NOT NULL,
  admin_approval text NOT NULL,
  currency currency_code NOT NULL,
  is_archived boolean NOT NULL DEFAULT false,
  orders bigint NOT NULL,
  quantity bigint NOT NULL,
  amount numeric NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX order_counter_changes_by_token ON order_counter_changes (token_id);

CALL protect('order_counters', 'token_id = scope_token_id()');
CALL protect('order_counter_changes', 'token_id = scope_token_id()');
GRANT SELECT ON order_counters TO keyfront_service;
GRANT SELECT, INSERT ON order_counter_changes TO keyfront_service, keyfront_platform;
-- For the job.
GRANT SELECT, INSERT, UPDATE (orders, quantity, amount) ON order_counters TO keyfront_platform;
GRANT DELETE, UPDATE (orders) ON order_counter_changes TO keyfront_platform;

CREATE FUNCTION count_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO keyfront.order_counter_changes
      (token_id, day, order_status, payment_status, admin_approval, currency, orders, quantity, amount)
    SELECT token_id, (created_at AT TIME ZONE 'UTC')::date, order_status, payment_status, admin_approval, currency,
      count(*), sum(total_quantity), sum(total_amount)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6;
  ELSE
    INSERT INTO keyfront.order_counter_changes
      (token_id, day, order_status, payment_status, admin_approval, currency, orders, quantity, amount)
    SELECT token_id, (created_at AT TIME ZONE 'UTC')::date, order_status, payment_status, admin_approval, currency,
      sum(change), sum(change * total_quantity), sum(change * total_amount)
    FROM (
      SELECT token_id, created_at, order_status, payment_status, admin_approval, currency, total_quantity,
        total_amount, 1 AS change FROM added
      UNION ALL SELECT token_id, created_at, order_status, payment_status, admin_approval, currency, total_quantity,
        total_amount, -1 FROM removed
    ) AS changes
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_new AFTER INSERT ON orders REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION count_orders();
CREATE TRIGGER count_change AFTER UPDATE ON orders REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_orders();

-- Events of orders and their payments. An order that was just placed has in its snapshot only what may change and is not the same for every
-- new order.
CREATE FUNCTION record_order_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  later jsonb := jsonb_build_object('id', NEW.id, 'order_status', NEW.order_status, 'payment_status', NEW.payment_status,
    'admin_approval', NEW.admin_approval, 'rejection_note', NEW.rejection_note, 'updated_at', NEW.updated_at,
    'external_reference', NEW.external_reference, 'metadata', NEW.metadata, 'paid_amount', NEW.paid_amount,
    'refunded_amount', NEW.refunded_amount, 'refund_due', NEW.refund_due, 'client', keyfront.client_contact(NEW.client_id));
  earlier jsonb;
  types text[] := '{}';
BEGIN
  IF TG_OP = 'INSERT' THEN
    types := '{order.created}';
  ELSE
    earlier := keyfront.previous_values(jsonb_build_object('order_status', OLD.order_status, 'payment_status',
      OLD.payment_status, 'admin_approval', OLD.admin_approval, 'rejection_note', OLD.rejection_note,
      'external_reference', OLD.external_reference, 'metadata', OLD.metadata, 'paid_amount', OLD.paid_amount,
      'refunded_amount', OLD.refunded_amount, 'refund_due', OLD.refund_due), later);
    IF earlier ? 'admin_approval' THEN
      types := types || CASE NEW.admin_approval WHEN 'VERIFIED' THEN '{order.approved}'::text[]
        WHEN 'REJECTED' THEN '{order.rejected}' ELSE '{}' END;
    END IF;
    IF earlier ? 'order_status' THEN types := types || ('order.' || lower(NEW.order_status)); END IF;
    -- A failed payment that is tried again is PENDING, which is no event. A refund is one, whether or not it is the last.
    IF earlier ? 'payment_status' AND NEW.payment_status NOT IN ('PENDING', 'REFUNDED') OR NEW.paid_amount > OLD.paid_amount THEN
      types := types || ('payment.' || lower(NEW.payment_status));
    END IF;
    IF NEW.payment_status = 'REFUNDED' AND earlier ? 'payment_status' OR NEW.refunded_amount > OLD.refunded_amount THEN
      types := types || 'payment.refunded'::text;
    END IF;
    IF NEW.refund_due > OLD.refund_due THEN types := types || 'payment.refund_due'::text; END IF;
    IF types = '{}' AND earlier ?| '{external_reference,metadata}' THEN types := '{order.updated}'; END IF;
  END IF;
  INSERT INTO keyfront.events (token_id, type, snapshot, previous)
  SELECT NEW.token_id, type, later, earlier FROM unnest(types) AS type;
  RETURN NULL;
END
$$;
CREATE TRIGGER record_new AFTER INSERT ON orders FOR EACH ROW
  WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on'
    AND current_setting('keyfront.is_seeding', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION record_order_events();
-- Only a holder changes references and metadata. Erasing a client removes the metadata, which is no event.
CREATE TRIGGER record_change AFTER UPDATE ON orders FOR EACH ROW
  WHEN (OLD.order_status <> NEW.order_status OR OLD.payment_status <> NEW.payment_status
    OR OLD.admin_approval <> NEW.admin_approval OR OLD.paid_amount <> NEW.paid_amount OR OLD.refunded_amount <> NEW.refunded_amount
    OR current_user = 'keyfront_service'
      AND (OLD.external_reference <> NEW.external_reference OR OLD.metadata <> NEW.metadata))
  EXECUTE FUNCTION record_order_events();

-- Parcels. What an order has of each is in its lines; this is what each parcel contains.
CREATE TABLE shipments (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  order_id uuid NOT NULL,
  token_id token_number NOT NULL,
  carrier text NOT NULL CHECK (carrier <> ''),
  tracking_number text,
  tracking_url text CHECK (length(tracking_url) <= 2048),
  -- A list of {"number", "quantity"}: the numbers of lines, and the units of each.
  lines jsonb NOT NULL CHECK (jsonb_typeof(lines) = 'array'),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (token_id, order_id) REFERENCES orders (token_id, id)
);
CREATE INDEX shipments_by_order ON shipments (order_id, id);
CREATE TRIGGER touch BEFORE UPDATE ON shipments FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CALL protect('shipments', 'token_id = scope_token_id()');
GRANT SELECT ON shipments TO keyfront_service;
GRANT SELECT, INSERT, UPDATE (carrier, tracking_number, tracking_url) ON shipments TO keyfront_platform;

-- Erasing a client removes the tracking, which is no event.
CREATE FUNCTION record_shipment_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  later jsonb := jsonb_build_object('id', NEW.id, 'carrier', NEW.carrier, 'tracking_number', NEW.tracking_number,
    'tracking_url', NEW.tracking_url, 'updated_at', NEW.updated_at,
    'client', (SELECT keyfront.client_contact(client_id) FROM keyfront.orders WHERE id = NEW.order_id));
  earlier jsonb;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    earlier := keyfront.previous_values(jsonb_build_object('carrier', OLD.carrier, 'tracking_number', OLD.tracking_number,
      'tracking_url', OLD.tracking_url), later);
  END IF;
  INSERT INTO keyfront.events (token_id, type, snapshot, previous)
  VALUES (NEW.token_id, CASE TG_OP WHEN 'INSERT' THEN 'shipment.created' ELSE 'shipment.updated' END, later, earlier);
  RETURN NULL;
END
$$;
CREATE TRIGGER record_new AFTER INSERT ON shipments FOR EACH ROW
  WHEN (current_setting('keyfront.is_seeding', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION record_shipment_events();
CREATE TRIGGER record_change AFTER UPDATE ON shipments FOR EACH ROW
  WHEN (current_setting('keyfront.is_erasing', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION record_shipment_events();

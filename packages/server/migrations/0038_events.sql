-- The log of events: what happened to the data of a digital key, and to the catalogue. Triggers write most of it, so that no way of
-- writing can forget it. The other side is resources/events.

-- Events are read in the order of the transactions that wrote them. A sequence alone is not enough: transactions commit in another
-- order than they take numbers, so a reader who has seen number 8 may have missed number 7. An event is readable only when its
-- transaction number is below the horizon. No transaction below the horizon is running, so no event below it can still appear.

-- A database that was restored into another server continues with the transaction ids of that server, which may be lower. The service
-- then replaces this function at its start, so that transaction numbers only grow.
CREATE FUNCTION event_number_offset() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 0;

-- The server that has written the events, by which the service recognizes a restored database.
DO $$
BEGIN
  EXECUTE format('CREATE FUNCTION event_server() RETURNS text LANGUAGE sql IMMUTABLE AS %L',
    format('SELECT %L', (SELECT system_identifier::text FROM pg_control_system())));
END
$$;

CREATE FUNCTION event_transaction_number() RETURNS bigint LANGUAGE sql STABLE
RETURN event_number_offset() + pg_current_xact_id()::text::bigint;

CREATE FUNCTION event_horizon() RETURNS bigint LANGUAGE sql STABLE
RETURN event_number_offset() + pg_snapshot_xmin(pg_current_snapshot())::text::bigint;

CREATE TABLE events (
  transaction_number bigint NOT NULL DEFAULT event_transaction_number(),
  -- The order within a transaction.
  sequence_number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null: the event is for every digital key.
  token_id token_number,
  -- Only this holder may read the event, also after the digital key has changed hands. Null: whoever acts for the digital key.
  holder_id uuid,
  type text NOT NULL,
  -- The columns of the resource that may change, with their values at that moment. Readers take the others from its table.
  snapshot jsonb NOT NULL,
  -- The values before an update, of the columns that it changed.
  previous jsonb,
  PRIMARY KEY (transaction_number, sequence_number)
);
CREATE INDEX events_by_token ON events (token_id, transaction_number, sequence_number);
-- Rows are only appended and deleted in the order of their age.
ALTER TABLE events SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);

CALL protect('events', '(token_id = scope_token_id() OR token_id IS NULL AND scope_token_id() IS NOT NULL)
  AND (holder_id IS NULL OR holder_id = scope_holder_id())');
GRANT SELECT, INSERT ON events TO keyfront_service, keyfront_platform;
-- Old events are deleted, and erasing a client removes its personal data from events.
GRANT DELETE, UPDATE (snapshot, previous) ON events TO keyfront_platform;

-- The columns that differ, with their earlier values. Null if none does.
CREATE FUNCTION previous_values(earlier jsonb, later jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT jsonb_object_agg(key, value) FROM jsonb_each(earlier) WHERE value IS DISTINCT FROM later -> key);

CREATE FUNCTION client_contact(of_client uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', id, 'first_name', first_name, 'last_name', last_name, 'email', email)
  FROM keyfront.clients WHERE id = of_client
$$;

-- Clients. The reference of the identity check is a secret, and medical records are in another table.
CREATE FUNCTION record_client_events() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Orders and their payments. An order that was just placed has no status in its snapshot: every order starts in the same state.
CREATE FUNCTION record_order_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  later jsonb := jsonb_build_object('id', NEW.id, 'order_status', NEW.order_status, 'payment_status', NEW.payment_status,
    'admin_approval', NEW.admin_approval, 'rejection_note', NEW.rejection_note, 'updated_at', NEW.updated_at,
    'client', keyfront.client_contact(NEW.client_id));
  earlier jsonb;
  types text[] := '{}';
BEGIN
  IF TG_OP = 'INSERT' THEN
    types := '{order.created}';
  ELSE
    earlier := keyfront.previous_values(jsonb_build_object('order_status', OLD.order_status, 'payment_status',
      OLD.payment_status, 'admin_approval', OLD.admin_approval, 'rejection_note', OLD.rejection_note), later);
    IF earlier ? 'admin_approval' THEN
      types := types || CASE NEW.admin_approval WHEN 'VERIFIED' THEN '{order.approved}'::text[]
        WHEN 'REJECTED' THEN '{order.rejected}' ELSE '{}' END;
    END IF;
    IF earlier ? 'order_status' THEN types := types || ('order.' || lower(NEW.order_status)); END IF;
    -- A failed payment that is tried again is PENDING, which is no event.
    IF earlier ? 'payment_status' AND NEW.payment_status <> 'PENDING' THEN
      types := types || ('payment.' || lower(NEW.payment_status));
    END IF;
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
CREATE TRIGGER record_change AFTER UPDATE OF order_status, payment_status, admin_approval ON orders FOR EACH ROW
  WHEN (OLD.order_status <> NEW.order_status OR OLD.payment_status <> NEW.payment_status
    OR OLD.admin_approval <> NEW.admin_approval)
  EXECUTE FUNCTION record_order_events();

-- Sales. The own sale of a digital key begins with the digital key, which is no event.
CREATE FUNCTION record_sale_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  later jsonb := jsonb_build_object('id', NEW.id, 'stage', NEW.stage, 'description', NEW.description, 'order_id', NEW.order_id,
    'updated_at', NEW.updated_at, 'client', keyfront.client_contact(NEW.client_id));
BEGIN
  INSERT INTO keyfront.events (token_id, type, snapshot, previous)
  VALUES (NEW.token_id, CASE TG_OP WHEN 'INSERT' THEN 'sale.created' ELSE 'sale.stage_changed' END, later,
    CASE TG_OP WHEN 'UPDATE' THEN keyfront.previous_values(
      jsonb_build_object('stage', OLD.stage, 'description', OLD.description, 'order_id', OLD.order_id), later) END);
  RETURN NULL;
END
$$;
CREATE TRIGGER record_new AFTER INSERT ON sales FOR EACH ROW
  WHEN (NEW.client_id IS NOT NULL AND current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on'
    AND current_setting('keyfront.is_seeding', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION record_sale_event();
CREATE TRIGGER record_change AFTER UPDATE OF stage ON sales FOR EACH ROW
  WHEN (OLD.stage <> NEW.stage AND current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION record_sale_event();

-- Sales of digital keys. A draft is nobody's business but its author's. A reorganised chain returns a sale to an earlier state: that
-- is reported with the transaction that it undoes.
CREATE FUNCTION record_nft_sale_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  secret text[] := '{listing_signature,cancellation_signature}';
  later jsonb := to_jsonb(NEW) - secret;
BEGIN
  -- Whoever buys the digital key reads the event too, and may not read the row of the seller.
  later := later || jsonb_build_object('seller_address', (
    SELECT wallet_address FROM keyfront.holders WHERE id = NEW.seller_id
  ));
  INSERT INTO keyfront.events (token_id, type, snapshot, previous)
  VALUES (NEW.token_id, 'nft_sale.' || lower(NEW.state), later,
    keyfront.previous_values(to_jsonb(OLD) - secret - 'updated_at', later));
  RETURN NULL;
END
$$;
CREATE TRIGGER record_change AFTER UPDATE OF state ON nft_sales FOR EACH ROW
  WHEN (OLD.state = 'DRAFT' AND NEW.state = 'LISTED' OR OLD.state = 'LISTED' AND NEW.state = 'CANCELLED'
    OR OLD.state <> 'SOLD' AND NEW.state = 'SOLD')
  EXECUTE FUNCTION record_nft_sale_event();

-- What the chain did to a digital key, and what a reorganised chain no longer says.
CREATE FUNCTION record_chain_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO keyfront.events (token_id, type, snapshot) VALUES (NEW.token_id, 'nft.transferred', to_jsonb(NEW));
  ELSE
    INSERT INTO keyfront.events (token_id, type, snapshot) VALUES (OLD.token_id, 'nft.reorganised', to_jsonb(OLD));
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER record_transfer AFTER INSERT ON transactions FOR EACH ROW
  WHEN (NEW.type = 'TRANSFER' AND current_setting('keyfront.is_seeding', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION record_chain_event();
CREATE TRIGGER record_reorganisation AFTER DELETE ON transactions FOR EACH ROW EXECUTE FUNCTION record_chain_event();

-- API keys belong to the holder. Whoever gets the digital key later does not see them.
CREATE FUNCTION record_key_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.events (token_id, holder_id, type, snapshot, previous)
  VALUES (NEW.token_id, NEW.holder_id, CASE TG_OP WHEN 'INSERT' THEN 'key.created' ELSE 'key.revoked' END, to_jsonb(NEW),
    CASE TG_OP WHEN 'UPDATE' THEN jsonb_build_object('revoked_at', NULL) END);
  RETURN NULL;
END
$$;
CREATE TRIGGER record_new AFTER INSERT ON api_keys FOR EACH ROW
  WHEN (current_setting('keyfront.is_seeding', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION record_key_event();
CREATE TRIGGER record_revocation AFTER UPDATE OF revoked_at ON api_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION record_key_event();

-- Strains. No triggers: every order updates stock, and an administrator changes a strain and its locations together.
-- Volatile, so that it sees what the statement that calls it has written.
CREATE FUNCTION strain_snapshot(of_strain uuid) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
  SELECT to_jsonb(strains) || jsonb_build_object(
    'planet', jsonb_build_object('number', planets.number, 'name', planets.name),
    'locations', coalesce((
      SELECT jsonb_agg(to_jsonb(location) ORDER BY location.country_code)
      FROM keyfront.strain_locations AS location WHERE location.strain_id = strains.id
    ), '[]'))
  FROM keyfront.strains JOIN keyfront.planets ON planets.id = strains.planet_id WHERE strains.id = of_strain
$$;

-- Records that a location has no stock any more, or has some again. The stock has already been written.
CREATE FUNCTION record_stock_event(event_type text, of_strain uuid, of_location uuid, earlier_stock integer)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  later jsonb := keyfront.strain_snapshot(of_strain);
BEGIN
  INSERT INTO keyfront.events (token_id, type, snapshot, previous)
  VALUES (NULL, event_type, later, jsonb_build_object('locations', (
    SELECT jsonb_agg(CASE WHEN location ->> 'id' = of_location::text
      THEN location || jsonb_build_object('stock_quantity', earlier_stock) ELSE location END)
    FROM jsonb_array_elements(later -> 'locations') AS location
  )));
END
$$;

-- Records what an administrator has changed of a strain: one event for the change, and one for each kind of change of its stock. The
-- strain has already been written.
CREATE FUNCTION record_strain_change(of_strain uuid, earlier jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  later jsonb := keyfront.strain_snapshot(of_strain);
  differences jsonb := keyfront.previous_values(earlier - 'updated_at', later);
BEGIN
  IF differences IS NULL THEN RETURN; END IF;
  INSERT INTO keyfront.events (token_id, type, snapshot, previous)
  SELECT NULL, type, later, differences FROM (
    SELECT 'strain.updated' AS type, 1 AS number
    UNION ALL
    SELECT CASE WHEN (new_location ->> 'stock_quantity')::integer = 0 THEN 'strain.out_of_stock' ELSE 'strain.back_in_stock' END, 2
    FROM jsonb_array_elements(earlier -> 'locations') AS old_location
    JOIN jsonb_array_elements(later -> 'locations') AS new_location ON new_location ->> 'id' = old_location ->> 'id'
    WHERE ((new_location ->> 'stock_quantity')::integer = 0) <> ((old_location ->> 'stock_quantity')::integer = 0)
    GROUP BY 1
  ) AS event ORDER BY number, type;
END
$$;

-- The function of migration 0036, which now records the events of an order and its sale, and of stock that runs out.
CREATE OR REPLACE FUNCTION place_order(
  of_token bigint, of_client uuid, new_id uuid, new_invoice_number text, new_total_amount numeric, new_total_quantity integer,
  new_currency text, new_delivery_charge numeric, new_shipping jsonb, new_note text,
  -- The cart that becomes the order; null if the items come from the request.
  of_cart uuid,
  location_ids uuid[], strain_ids uuid[], strain_names text[], unit_prices numeric[], quantities integer[],
  line_numbers smallint[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  line_count integer := cardinality(location_ids);
  address text := keyfront.scope_wallet_address();
  removed_count integer;
  expected_count integer;
  sale record;
  has_lead boolean;
  remaining integer;
BEGIN
  PERFORM set_config('keyfront.is_placing_order', 'on', true);
  IF of_cart IS NULL THEN
    -- Nothing has locked the client. The lock makes an archiving transaction wait, so that it sees this order.
    PERFORM FROM keyfront.clients WHERE id = of_client AND token_id = of_token AND is_active AND is_kyc_verified
      AND admin_approval = 'VERIFIED' AND archived_at IS NULL FOR SHARE;
    IF NOT FOUND THEN PERFORM keyfront.begin_again(); END IF;
  ELSE
    -- The checkout may have waited for the lock of the client. It then read the client anew, but the items as they were before.
    WITH removed AS (
      DELETE FROM keyfront.cart_items WHERE token_id = of_token AND cart_id = of_cart RETURNING strain_id, quantity
    )
    SELECT count(*), count(line.strain_id) INTO removed_count, expected_count
    FROM removed LEFT JOIN unnest(strain_ids, quantities) AS line (strain_id, quantity) USING (strain_id, quantity);
    IF removed_count <> line_count OR expected_count <> line_count THEN PERFORM keyfront.begin_again(); END IF;
  END IF;

  INSERT INTO keyfront.orders (token_id, id, client_id, invoice_number, total_amount, total_quantity, currency,
    delivery_charge, shipping, note)
  VALUES (of_token, new_id, of_client, new_invoice_number, new_total_amount, new_total_quantity, new_currency,
    new_delivery_charge, new_shipping, new_note)
  ON CONFLICT (invoice_number) DO NOTHING;
  IF NOT FOUND THEN PERFORM keyfront.begin_again(); END IF;
  INSERT INTO keyfront.order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
  SELECT new_id, line.number, of_token, line.strain_id, line.strain_name, line.unit_price, line.quantity
  FROM unnest(line_numbers, strain_ids, strain_names, unit_prices, quantities)
    AS line (number, strain_id, strain_name, unit_price, quantity);
  INSERT INTO keyfront.order_history (order_id, token_id, order_status, payment_status, admin_approval, changed_at, author,
    author_address)
  VALUES (new_id, of_token, 'PENDING', 'PENDING', 'PENDING', now(),
    CASE WHEN address IS NULL THEN 'SERVICE' WHEN current_user = 'keyfront_service' THEN 'HOLDER' ELSE 'ADMINISTRATOR' END,
    address);
  INSERT INTO keyfront.order_tally_changes (token_id, day, order_status, payment_status, admin_approval, currency, orders,
    quantity, amount)
  VALUES (of_token, (now() AT TIME ZONE 'UTC')::date, 'PENDING', 'PENDING', 'PENDING', new_currency, 1, new_total_quantity,
    new_total_amount);

  -- The oldest lead of the client becomes the sale of the order. Without a lead, the order opens a sale.
  UPDATE keyfront.sales SET stage = 'ONGOING', order_id = new_id
  WHERE stage = 'LEADS' AND order_id IS NULL AND id = (
    SELECT id FROM keyfront.sales
    WHERE token_id = of_token AND client_id = of_client AND stage = 'LEADS' AND order_id IS NULL
    ORDER BY created_at, id LIMIT 1
  )
  RETURNING id, description, updated_at INTO sale;
  has_lead := FOUND;
  IF NOT has_lead THEN
    INSERT INTO keyfront.sales (token_id, client_id, order_id, stage) VALUES (of_token, of_client, new_id, 'ONGOING')
    RETURNING id, description, updated_at INTO sale;
  END IF;
  INSERT INTO keyfront.sale_history (sale_id, token_id, stage, description, changed_at)
  VALUES (sale.id, of_token, 'ONGOING', sale.description, sale.updated_at);
  IF has_lead AND of_cart IS NOT NULL THEN
    INSERT INTO keyfront.tally_changes (token_id, kind, state, entries)
    VALUES (of_token, 'sale', 'LEADS', -1), (of_token, 'sale', 'ONGOING', 1), (of_token, 'cart', 'FILLED', -1);
  ELSE
    INSERT INTO keyfront.tally_changes (token_id, kind, state, entries) VALUES (of_token, 'sale', 'ONGOING', 1);
    IF has_lead THEN
      INSERT INTO keyfront.tally_changes (token_id, kind, state, entries) VALUES (of_token, 'sale', 'LEADS', -1);
    END IF;
    IF of_cart IS NOT NULL THEN
      INSERT INTO keyfront.tally_changes (token_id, kind, state, entries) VALUES (of_token, 'cart', 'FILLED', -1);
    END IF;
  END IF;

  -- The events of the order and its sale. The snapshot of the order has only what its row does not tell: the row never changes but
  -- for its state, and every order starts in the same state.
  INSERT INTO keyfront.events (token_id, type, snapshot, previous)
  SELECT of_token, event.type, event.snapshot || jsonb_build_object('client', client.contact), event.previous
  FROM (
    SELECT jsonb_build_object('id', id, 'first_name', first_name, 'last_name', last_name, 'email', email) AS contact
    FROM keyfront.clients WHERE id = of_client
  ) AS client, (VALUES
    ('order.created', jsonb_build_object('id', new_id), NULL),
    (CASE WHEN has_lead THEN 'sale.stage_changed' ELSE 'sale.created' END,
      jsonb_build_object('id', sale.id, 'stage', 'ONGOING', 'description', sale.description, 'order_id', new_id,
        'updated_at', sale.updated_at),
      CASE WHEN has_lead THEN jsonb '{"stage": "LEADS", "order_id": null}' END)
  ) AS event (type, snapshot, previous);

  FOR line IN 1 .. line_count LOOP
    UPDATE keyfront.strain_locations AS location SET stock_quantity = location.stock_quantity - quantities[line]
    FROM keyfront.strains
    WHERE location.id = location_ids[line] AND strains.id = location.strain_id AND strains.id = strain_ids[line]
      AND location.stock_quantity >= quantities[line] AND location.is_active AND strains.is_available
      AND coalesce(location.retail_price, strains.retail_price) = unit_prices[line]
      AND coalesce(location.currency, strains.currency) = new_currency
    RETURNING location.stock_quantity INTO remaining;
    IF NOT FOUND THEN PERFORM keyfront.begin_again(); END IF;
    IF remaining = 0 THEN
      PERFORM keyfront.record_stock_event('strain.out_of_stock', strain_ids[line], location_ids[line], quantities[line]);
    END IF;
  END LOOP;
  -- Later statements of the transaction are counted by triggers again.
  PERFORM set_config('keyfront.is_placing_order', 'off', true);
END
$$;

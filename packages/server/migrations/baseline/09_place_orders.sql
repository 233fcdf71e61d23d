-- Writes several orders of one digital key with everything that belongs to them in one call. Starting a statement takes PostgreSQL longer than
-- writing the rows of one order, so that eight orders together cost a third of eight orders one by one.
--
-- Places the orders, if what their checkouts have read is still true. Otherwise the transaction starts again: it fails with a serialization
-- failure. Lines name their order. Locations are locked last, so that they are locked for as short as possible, and in the order of their
-- ids, so that two transactions never wait for each other.
CREATE FUNCTION place_orders(
  of_token bigint,
  order_ids uuid[], client_ids uuid[],
  -- The carts that become orders. Null for an order whose items come from the request.
  cart_ids uuid[],
  invoice_numbers text[], total_amounts numeric[], total_quantities integer[], currencies text[], delivery_charges numeric[],
  tax_rates numeric[], tax_amounts numeric[], shippings jsonb[], notes text[], external_references text[], metadata_objects jsonb[],
  -- The lines of all orders, with the cart and the currency of their order.
  line_orders uuid[], line_carts uuid[], line_currencies text[], line_numbers smallint[], location_ids uuid[], strain_ids uuid[],
  strain_names text[], unit_prices numeric[], quantities integer[]
) RETURNS void LANGUAGE plpgsql
-- By default PostgreSQL plans a statement with arrays for each call, because it expects ten elements. That takes longer than running it.
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  order_count integer := cardinality(order_ids);
  cart_count integer := cardinality(array_remove(cart_ids, NULL));
  cart_line_count integer := cardinality(array_remove(line_carts, NULL));
  address text := keyfront.scope_wallet_address();
  author text := CASE WHEN address IS NULL THEN 'SERVICE' WHEN current_user = 'keyfront_service' THEN 'HOLDER'
    ELSE 'ADMINISTRATOR' END;
  found_count integer;
  matched_count integer;
  is_sold_out boolean;
  sold_out record;
BEGIN
  PERFORM set_config('keyfront.is_placing_order', 'on', true);
  IF cart_count < order_count THEN
    -- Nothing has locked these clients. The lock makes an archiving transaction wait, so that it sees the orders.
    PERFORM FROM unnest(client_ids, cart_ids) AS placed (client_id, cart_id) JOIN keyfront.clients ON clients.id = placed.client_id
    WHERE placed.cart_id IS NULL AND clients.token_id = of_token AND is_active AND is_kyc_verified AND admin_approval = 'VERIFIED'
      AND archived_at IS NULL
    ORDER BY clients.id FOR SHARE OF clients;
    GET DIAGNOSTICS found_count = ROW_COUNT;
    IF found_count <> order_count - cart_count THEN PERFORM keyfront.raise_conflict(); END IF;
  END IF;
  IF cart_count > 0 THEN
    -- A checkout may have waited for the lock of its client. It then read the client anew, but the items as they were before.
    WITH removed AS (
      DELETE FROM keyfront.cart_items WHERE token_id = of_token AND cart_id = ANY (cart_ids) RETURNING cart_id, strain_id, quantity
    )
    SELECT (SELECT count(*) FROM removed), count(*) INTO found_count, matched_count
    FROM removed JOIN unnest(line_carts, strain_ids, quantities) AS line (cart_id, strain_id, quantity)
      USING (cart_id, strain_id, quantity);
    IF found_count <> cart_line_count OR matched_count <> cart_line_count THEN PERFORM keyfront.raise_conflict(); END IF;
  END IF;

  INSERT INTO keyfront.orders (token_id, id, client_id, invoice_number, total_amount, total_quantity, currency, delivery_charge,
    tax_rate, tax_amount, shipping, note, external_reference, metadata)
  SELECT of_token, placed.* FROM unnest(order_ids, client_ids, invoice_numbers, total_amounts, total_quantities, currencies,
    delivery_charges, tax_rates, tax_amounts, shippings, notes, external_references, metadata_objects)
    AS placed (id, client_id, invoice_number)
  WHERE NOT EXISTS (SELECT FROM keyfront.archived_invoice_numbers AS archived WHERE archived.invoice_number = placed.invoice_number)
  -- Another order has the invoice number or the reference.
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS found_count = ROW_COUNT;
  IF found_count <> order_count THEN PERFORM keyfront.raise_conflict(); END IF;
  INSERT INTO keyfront.order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
  SELECT line.order_id, line.number, of_token, line.strain_id, line.strain_name, line.unit_price, line.quantity
  FROM unnest(line_orders, line_numbers, strain_ids, strain_names, unit_prices, quantities)
    AS line (order_id, number, strain_id, strain_name, unit_price, quantity);
  INSERT INTO keyfront.order_history (order_id, token_id, order_status, payment_status, admin_approval, changed_at, author,
    author_address)
  SELECT order_id, of_token, 'PENDING', 'PENDING', 'PENDING', now(), author, address FROM unnest(order_ids) AS order_id;
  INSERT INTO keyfront.order_counter_changes (token_id, day, order_status, payment_status, admin_approval, currency, orders,
    quantity, amount)
  SELECT of_token, (now() AT TIME ZONE 'UTC')::date, 'PENDING', 'PENDING', 'PENDING', currency, count(*), sum(quantity), sum(amount)
  FROM unnest(currencies, total_quantities, total_amounts) AS placed (currency, quantity, amount) GROUP BY currency;

  -- The oldest lead of a client becomes the sale of the order; of two orders of one client, the second takes the next lead. Without a
  -- lead, or if another transaction has just taken it, the order opens a sale.
  WITH placed AS MATERIALIZED (
    SELECT order_id, client_id, (
      SELECT id FROM keyfront.sales
      WHERE sales.token_id = of_token AND sales.client_id = numbered.client_id AND stage = 'LEADS' AND sales.order_id IS NULL
      ORDER BY created_at, id OFFSET numbered.number - 1 LIMIT 1
    ) AS lead_id
    FROM (
      SELECT order_id, client_id, row_number() OVER (PARTITION BY client_id ORDER BY position) AS number
      FROM unnest(order_ids, client_ids) WITH ORDINALITY AS placed (order_id, client_id, position)
    ) AS numbered
  ), advanced AS (
    UPDATE keyfront.sales SET stage = 'ONGOING', order_id = placed.order_id FROM placed
    WHERE sales.id = placed.lead_id AND sales.stage = 'LEADS' AND sales.order_id IS NULL
    RETURNING sales.id, sales.client_id, sales.order_id, sales.description, sales.updated_at
  ), opened AS (
    INSERT INTO keyfront.sales (token_id, client_id, order_id, stage)
    SELECT of_token, client_id, order_id, 'ONGOING' FROM placed
    WHERE NOT EXISTS (SELECT FROM advanced WHERE advanced.order_id = placed.order_id)
    RETURNING id, client_id, order_id, description, updated_at
  ), sale AS MATERIALIZED (
    SELECT advanced.*, true AS was_lead FROM advanced UNION ALL SELECT opened.*, false FROM opened
  ), kept AS (
    INSERT INTO keyfront.sale_history (sale_id, token_id, stage, description, changed_at)
    SELECT id, of_token, 'ONGOING', description, updated_at FROM sale
  ), counts AS (
    INSERT INTO keyfront.counter_changes (token_id, kind, state, entries)
    SELECT of_token, change.kind, change.state, change.entries
    FROM (SELECT count(*) AS sales, count(*) FILTER (WHERE was_lead) AS leads FROM sale) AS counted, LATERAL (VALUES
      ('sale', 'ONGOING', counted.sales), ('sale', 'LEADS', -counted.leads), ('cart', 'FILLED', -cart_count)
    ) AS change (kind, state, entries)
    WHERE change.entries <> 0
  ), recorded AS (
    -- The snapshot of an order has only what may change and is not the same for every new order.
    INSERT INTO keyfront.events (token_id, type, snapshot, previous)
    SELECT of_token, event.type, event.snapshot || jsonb_build_object('client', jsonb_build_object('id', clients.id,
      'first_name', clients.first_name, 'last_name', clients.last_name, 'email', clients.email)), event.previous
    FROM sale JOIN keyfront.clients ON clients.id = sale.client_id, LATERAL (VALUES
      (1, 'order.created', jsonb_build_object('id', sale.order_id) || coalesce((
        SELECT jsonb_build_object('external_reference', reference, 'metadata', object)
        FROM unnest(order_ids, external_references, metadata_objects) AS noted (order_id, reference, object)
        WHERE noted.order_id = sale.order_id AND (reference <> '' OR object <> '{}')
      ), '{}'), NULL),
      (2, CASE WHEN sale.was_lead THEN 'sale.stage_changed' ELSE 'sale.created' END,
        jsonb_build_object('id', sale.id, 'stage', 'ONGOING', 'description', sale.description, 'order_id', sale.order_id,
          'updated_at', sale.updated_at),
        CASE WHEN sale.was_lead THEN jsonb '{"stage": "LEADS", "order_id": null}' END)
    ) AS event (number, type, snapshot, previous)
    ORDER BY sale.order_id, event.number
  )
  -- All of this is one statement. Nobody needs its result.
  SELECT count(*) INTO found_count FROM sale;

  PERFORM FROM keyfront.strain_locations WHERE id = ANY (location_ids) ORDER BY id FOR NO KEY UPDATE;
  WITH taken AS MATERIALIZED (
    SELECT location_id, strain_id, unit_price, currency, sum(quantity)::integer AS quantity
    FROM unnest(location_ids, strain_ids, unit_prices, line_currencies, quantities)
      AS line (location_id, strain_id, unit_price, currency, quantity)
    GROUP BY location_id, strain_id, unit_price, currency
  ), remaining AS (
    UPDATE keyfront.strain_locations AS location SET stock_quantity = location.stock_quantity - taken.quantity
    FROM taken JOIN keyfront.strains ON strains.id = taken.strain_id
    WHERE location.id = taken.location_id AND location.strain_id = strains.id
      AND location.stock_quantity >= taken.quantity AND location.is_active AND strains.is_available
      AND coalesce(location.retail_price, strains.retail_price) = taken.unit_price
      AND coalesce(location.currency, strains.currency) = taken.currency
    RETURNING location.stock_quantity
  )
  SELECT count(*), (SELECT count(*) FROM taken), bool_or(stock_quantity = 0) INTO found_count, matched_count, is_sold_out
  FROM remaining;
  IF found_count <> matched_count THEN PERFORM keyfront.raise_conflict(); END IF;
  IF is_sold_out THEN
    FOR sold_out IN
      SELECT location.id, location.strain_id, sum(line.quantity)::integer AS quantity
      FROM unnest(location_ids, quantities) AS line (location_id, quantity)
      JOIN keyfront.strain_locations AS location ON location.id = line.location_id
      WHERE location.stock_quantity = 0 GROUP BY location.id, location.strain_id ORDER BY location.id
    LOOP
      PERFORM keyfront.record_stock_event('strain.out_of_stock', sold_out.strain_id, sold_out.id, sold_out.quantity);
    END LOOP;
  END IF;
  -- Later statements of the transaction are counted by triggers again.
  PERFORM set_config('keyfront.is_placing_order', 'off', true);
END
$$;

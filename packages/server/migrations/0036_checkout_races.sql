-- Two changes to `place_order` (migration 0027), for requests that arrive together with an order:
-- - A cart whose quantities have changed since the checkout read it is read again. Before, the number of items had to be the same.
-- - An order that names its items locks the client, so that the client cannot be archived and erased before the order commits.
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

  FOR line IN 1 .. line_count LOOP
    UPDATE keyfront.strain_locations AS location SET stock_quantity = location.stock_quantity - quantities[line]
    FROM keyfront.strains
    WHERE location.id = location_ids[line] AND strains.id = location.strain_id AND strains.id = strain_ids[line]
      AND location.stock_quantity >= quantities[line] AND location.is_active AND strains.is_available
      AND coalesce(location.retail_price, strains.retail_price) = unit_prices[line]
      AND coalesce(location.currency, strains.currency) = new_currency;
    IF NOT FOUND THEN PERFORM keyfront.begin_again(); END IF;
  END LOOP;
  -- Later statements of the transaction are counted by triggers again.
  PERFORM set_config('keyfront.is_placing_order', 'off', true);
END
$$;

-- Writes an order with everything that belongs to it in one call. Separate statements, and triggers with transition tables, took
-- more than half of the time of an order.

-- `place_order` writes history and counters itself. While it runs, the triggers that write them for everybody else do nothing. The
-- condition calls no function of ours: PostgreSQL reads and plans it anew for each statement.
CREATE OR REPLACE TRIGGER tally_new AFTER INSERT ON orders REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION tally_orders();
CREATE OR REPLACE TRIGGER keep_history_of_new AFTER INSERT ON orders FOR EACH ROW
  WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION keep_order_history();
CREATE OR REPLACE TRIGGER tally_emptied AFTER DELETE ON cart_items REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION tally_emptied_carts();
CREATE OR REPLACE TRIGGER tally_new AFTER INSERT ON sales REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION tally_sales();
CREATE OR REPLACE TRIGGER tally_change AFTER UPDATE ON sales REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION tally_sales();
CREATE OR REPLACE TRIGGER keep_history_of_new AFTER INSERT ON sales FOR EACH ROW
  WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION keep_sale_history();
CREATE OR REPLACE TRIGGER keep_history_of_change AFTER UPDATE ON sales FOR EACH ROW
  WHEN ((OLD.stage <> NEW.stage OR OLD.description <> NEW.description)
    AND current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION keep_sale_history();

-- Places an order, if what the checkout has read is still true. Otherwise the transaction starts again: it fails with a
-- serialization failure. The caller passes the lines in the order of their locations, so that two orders lock locations in the same
-- order. Stock comes last, so that locations are locked for as short as possible.
CREATE FUNCTION place_order(
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
  changed integer;
  sale record;
  has_lead boolean;
BEGIN
  PERFORM set_config('keyfront.is_placing_order', 'on', true);
  IF of_cart IS NULL THEN
    -- Nothing has locked the client.
    PERFORM FROM keyfront.clients WHERE id = of_client AND token_id = of_token AND is_active AND is_kyc_verified
      AND admin_approval = 'VERIFIED' AND archived_at IS NULL;
    IF NOT FOUND THEN PERFORM keyfront.begin_again(); END IF;
  ELSE
    DELETE FROM keyfront.cart_items WHERE token_id = of_token AND cart_id = of_cart;
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed <> line_count THEN PERFORM keyfront.begin_again(); END IF;
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

-- Returns the response that is stored for an idempotency key. If there is none, takes the lock of the key until the transaction
-- ends, and returns whether it got it. The lookup comes after the lock and sees what its previous owner has committed, because
-- each statement of a volatile function has its own snapshot.
CREATE FUNCTION claim_idempotency_key(
  of_credential text, of_key_hash bytea,
  OUT is_claimed boolean, OUT request_hash bytea, OUT status_code smallint, OUT body bytea
) LANGUAGE plpgsql AS $$
BEGIN
  is_claimed := pg_try_advisory_xact_lock(hashtextextended(of_credential || encode(of_key_hash, 'hex'), 0));
  SELECT stored.request_hash, stored.status_code, stored.body INTO request_hash, status_code, body
  FROM keyfront.idempotency_keys AS stored
  WHERE stored.credential = of_credential AND stored.key_hash = of_key_hash AND stored.expires_at > now();
END
$$;

-- PostgreSQL reads the CHECK constraints of a table anew for each statement that writes to it, and those of a domain once for each
-- connection. Every order updates locations, of which there are few.
CREATE DOMAIN alpha3_code AS text CHECK (VALUE ~ '^[A-Z]{3}$');
CREATE DOMAIN stock_count AS integer CHECK (VALUE >= 0);
CREATE DOMAIN price_amount AS numeric(12, 2) CHECK (VALUE >= 0);
DROP TRIGGER announce_change ON strain_locations;
ALTER TABLE strain_locations
  DROP CONSTRAINT strain_locations_country_code_check, ALTER COLUMN country_code TYPE alpha3_code,
  DROP CONSTRAINT strain_locations_stock_quantity_check, ALTER COLUMN stock_quantity TYPE stock_count,
  DROP CONSTRAINT strain_locations_retail_price_check, ALTER COLUMN retail_price TYPE price_amount;
CREATE TRIGGER announce_change AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF id, strain_id, country_code, is_active,
    retail_price, currency, created_at
  ON strain_locations FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue_change();

-- An order belongs to a client, and the client to the digital key. This constraint repeated that for every order.
ALTER TABLE orders DROP CONSTRAINT orders_token_id_fkey;

-- The index of invoice numbers took half of the time of an order: an order has fifteen trigrams, and each was inserted on its own.
-- Now orders wait in a list that is merged into the index when it has half a megabyte, which is about a thousand orders. A search
-- reads the list too.
ALTER INDEX orders_search SET (fastupdate = on, gin_pending_list_limit = 512);

-- Stored responses are JSON, which PostgreSQL compresses to less than half. By default it compresses only rows of more than 2 kB.
ALTER TABLE idempotency_keys ALTER COLUMN body SET STORAGE MAIN;
ALTER TABLE idempotency_keys SET (toast_tuple_target = 128);

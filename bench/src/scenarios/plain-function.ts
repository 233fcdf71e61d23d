import { sqlIdOf } from '../store/ids.ts';
import { tokens } from '../store/seed.ts';

const token = tokens.large;

/**
 * Places the order of the cart of one client as a plain function would: every row that the service writes, in one call, without
 * rules, without row-level security and without asking what has changed meanwhile. Locations are locked in the order of their ids, so
 * that two calls never wait for each other.
 */
export const createPlainFunction = `
  CREATE OR REPLACE FUNCTION keyfront.bench_place_order(n bigint, idempotency_key text, response bytea) RETURNS uuid
  LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  DECLARE
    cart uuid := ${sqlIdOf('cart', token, 'n')};
    number text := 'PLAIN-' || idempotency_key;
    placed uuid := keyfront.uuid_v7();
    client record;
    strains uuid[];
    quantities integer[];
    locations uuid[];
    sale uuid;
    lead uuid;
  BEGIN
    PERFORM set_config('keyfront.is_placing_order', 'on', true);
    SELECT id, first_name, last_name, email, shipping_address1, shipping_city, shipping_country_code, shipping_postal_code
    INTO STRICT client FROM keyfront.clients WHERE id = ${sqlIdOf('client', token, 'n')} FOR NO KEY UPDATE;
    WITH removed AS (
      DELETE FROM keyfront.cart_items WHERE token_id = ${token} AND cart_id = cart RETURNING strain_id, quantity
    )
    SELECT array_agg(removed.strain_id), array_agg(removed.quantity), array_agg(location.id) INTO strains, quantities, locations
    FROM removed JOIN keyfront.strain_locations AS location USING (strain_id)
    WHERE location.country_code = client.shipping_country_code;

    INSERT INTO keyfront.orders (token_id, id, client_id, invoice_number, total_amount, total_quantity, currency, shipping)
    SELECT ${token}, placed, client.id, number, sum(retail_price * quantity), sum(quantity), 'EUR', jsonb_build_object(
      'address1', client.shipping_address1, 'city', client.shipping_city, 'countryCode', client.shipping_country_code,
      'postalCode', client.shipping_postal_code)
    FROM unnest(strains, quantities) AS line (id, quantity) JOIN keyfront.strains USING (id);
    INSERT INTO keyfront.order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
    SELECT placed, line.number, ${token}, id, name, retail_price, quantity
    FROM unnest(strains, quantities) WITH ORDINALITY AS line (id, quantity, number) JOIN keyfront.strains USING (id);
    INSERT INTO keyfront.order_history (order_id, token_id, order_status, payment_status, admin_approval, changed_at, author)
    VALUES (placed, ${token}, 'PENDING', 'PENDING', 'PENDING', now(), 'SERVICE');
    INSERT INTO keyfront.order_counter_changes (token_id, day, order_status, payment_status, admin_approval, currency, orders,
      quantity, amount)
    SELECT token_id, now()::date, 'PENDING', 'PENDING', 'PENDING', currency, 1, total_quantity, total_amount
    FROM keyfront.orders WHERE id = placed;

    UPDATE keyfront.sales SET stage = 'ONGOING', order_id = placed
    WHERE client_id = client.id AND stage = 'LEADS' AND order_id IS NULL RETURNING id INTO lead;
    sale := lead;
    IF lead IS NULL THEN
      INSERT INTO keyfront.sales (token_id, client_id, order_id, stage) VALUES (${token}, client.id, placed, 'ONGOING')
      RETURNING id INTO sale;
    END IF;
    INSERT INTO keyfront.sale_history (sale_id, token_id, stage, description, changed_at)
    VALUES (sale, ${token}, 'ONGOING', '', now());
    INSERT INTO keyfront.counter_changes (token_id, kind, state, entries)
    SELECT ${token}, kind, state, entries
    FROM (VALUES ('sale', 'ONGOING', 1), ('cart', 'FILLED', -1), ('sale', 'LEADS', -1)) AS change (kind, state, entries)
    WHERE state <> 'LEADS' OR lead IS NOT NULL;
    INSERT INTO keyfront.events (token_id, type, snapshot, previous)
    SELECT ${token}, type, snapshot || jsonb_build_object('client', jsonb_build_object('id', client.id,
      'first_name', client.first_name, 'last_name', client.last_name, 'email', client.email)), previous
    FROM (VALUES
      ('order.created', jsonb_build_object('id', placed), NULL),
      (CASE WHEN lead IS NULL THEN 'sale.created' ELSE 'sale.stage_changed' END, jsonb_build_object('id', sale, 'stage', 'ONGOING',
        'description', '', 'order_id', placed, 'updated_at', now()),
        CASE WHEN lead IS NOT NULL THEN jsonb '{"stage": "LEADS", "order_id": null}' END)
    ) AS event (type, snapshot, previous);
    INSERT INTO keyfront.idempotency_keys (credential, key_hash, wallet_address, token_id, request_hash, status_code, body, subject_id)
    VALUES ('plain', sha256(idempotency_key::bytea), '0x' || repeat('0', 40), ${token}, sha256(client.id::text::bytea), 201, response, client.id);

    PERFORM FROM keyfront.strain_locations WHERE id = ANY (locations) ORDER BY id FOR NO KEY UPDATE;
    UPDATE keyfront.strain_locations AS location SET stock_quantity = stock_quantity - line.quantity
    FROM unnest(locations, quantities) AS line (id, quantity) WHERE location.id = line.id;
    PERFORM set_config('keyfront.is_placing_order', 'off', true);
    RETURN placed;
  END
  $$`;

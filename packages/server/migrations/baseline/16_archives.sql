-- Old orders that an operator has moved to files, and what stays of them. The other side is resources/orders/archive and
-- packages/order-archive. docs/decisions/64-archived-orders.md gives the reasons.

-- A file of archived orders. A row is written in the transaction that deletes the orders, so that each order is either in the tables or in
-- exactly one of these files.
CREATE TABLE order_archives (
  token_id token_number NOT NULL,
  id uuid NOT NULL DEFAULT uuid_v7(),
  -- The first day of the month, in UTC, in which the orders were placed.
  month date NOT NULL CHECK (month = date_trunc('month', month::timestamp)),
  file_name text NOT NULL,
  -- SHA-256 of the file, in hexadecimal.
  checksum text NOT NULL CHECK (checksum ~ '^[0-9a-f]{64}$'),
  orders integer NOT NULL CHECK (orders BETWEEN 1 AND 1000),
  -- When the first and the last of its orders were placed.
  first_created_at timestamptz(3) NOT NULL,
  last_created_at timestamptz(3) NOT NULL,
  archived_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (token_id, id)
);
CREATE INDEX order_archives_by_time ON order_archives (token_id, last_created_at);
CREATE INDEX order_archives_by_time_everywhere ON order_archives (last_created_at);

-- Whose orders are in which file. An erasure finds the files of a client here, and that the client has invoices.
CREATE TABLE order_archive_clients (
  token_id token_number NOT NULL,
  client_id uuid NOT NULL,
  archive_id uuid NOT NULL,
  PRIMARY KEY (token_id, client_id, archive_id),
  FOREIGN KEY (token_id, client_id) REFERENCES clients (token_id, id),
  FOREIGN KEY (token_id, archive_id) REFERENCES order_archives (token_id, id)
);

-- Files that may exist and belong to no archive: those that are being written, and those that another file has replaced. Whoever finds one
-- cancels it and deletes the file. Whoever writes the file sees that at its commit, and writes another one. The row stays for a day: a
-- process may write the file after it was deleted, and be killed before it sees that.
CREATE TABLE order_archive_drafts (
  token_id token_number NOT NULL,
  file_name text NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  is_cancelled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (token_id, file_name)
);

-- The invoice numbers of archived orders, which no other order gets. They say nothing about anybody.
CREATE TABLE archived_invoice_numbers (invoice_number text PRIMARY KEY);

CALL protect('order_archives', 'token_id = scope_token_id()');
CALL protect('order_archive_clients', 'token_id = scope_token_id()');
GRANT SELECT ON order_archives, order_archive_clients, archived_invoice_numbers TO keyfront_service;
GRANT SELECT, INSERT, UPDATE (file_name, checksum) ON order_archives TO keyfront_platform;
GRANT SELECT, INSERT ON order_archive_clients, archived_invoice_numbers TO keyfront_platform;
GRANT SELECT, INSERT, UPDATE (is_cancelled), DELETE ON order_archive_drafts TO keyfront_platform;

-- Whether nothing will happen to an order any more. Nothing has happened since the given time either, so that no event of it can still be
-- read or delivered.
CREATE FUNCTION is_at_rest(of_order orders, unchanged_since timestamptz) RETURNS boolean LANGUAGE sql STABLE
RETURN (of_order).order_status IN ('DELIVERED', 'CANCELLED') AND (of_order).refund_due = 0 AND (of_order).updated_at < unchanged_since
  AND NOT EXISTS (SELECT FROM payment_checkouts WHERE order_id = (of_order).id AND status IN ('PENDING', 'PROCESSING'))
  AND NOT EXISTS (SELECT FROM shipments WHERE order_id = (of_order).id AND updated_at >= unchanged_since)
  AND NOT EXISTS (SELECT FROM sales WHERE order_id = (of_order).id AND (stage <> 'CLOSED' OR updated_at >= unchanged_since));

-- The line of an order in its file: its row, with the rows of the other tables that belong to it. An order of an earlier version has no
-- address of its own. Its invoice needs one, and the client may be erased.
CREATE FUNCTION describe_order(of_order orders) RETURNS text LANGUAGE sql STABLE
RETURN jsonb_build_object(
  'order', to_jsonb(of_order) || jsonb_build_object('shipping', coalesce((of_order).shipping, (
    SELECT jsonb_build_object('address1', shipping_address1, 'address2', shipping_address2, 'landmark', shipping_landmark,
      'city', shipping_city, 'state', shipping_state, 'country', shipping_country, 'countryCode', shipping_country_code,
      'postalCode', shipping_postal_code)
    FROM clients WHERE id = (of_order).client_id AND shipping_address1 <> ''))),
  'lines', (SELECT coalesce(jsonb_agg(to_jsonb(order_lines) ORDER BY line_number), '[]') FROM order_lines WHERE order_id = (of_order).id),
  'history', (SELECT coalesce(jsonb_agg(to_jsonb(order_history) ORDER BY id), '[]') FROM order_history WHERE order_id = (of_order).id),
  'shipments', (SELECT coalesce(jsonb_agg(to_jsonb(shipments) ORDER BY id), '[]') FROM shipments WHERE order_id = (of_order).id),
  'checkouts', (
    SELECT coalesce(jsonb_agg(to_jsonb(payment_checkouts) ORDER BY id), '[]') FROM payment_checkouts WHERE order_id = (of_order).id),
  'refunds', (SELECT coalesce(jsonb_agg(to_jsonb(refunds) ORDER BY id), '[]') FROM refunds WHERE order_id = (of_order).id),
  'sale', (SELECT to_jsonb(sales) FROM sales WHERE order_id = (of_order).id),
  'saleHistory', (
    SELECT coalesce(jsonb_agg(to_jsonb(sale_history) ORDER BY sale_history.id), '[]')
    FROM sale_history JOIN sales ON sales.id = sale_id WHERE sales.order_id = (of_order).id)
)::text;

-- Replaces fields of each object in a list.
CREATE FUNCTION overwrite_each(list jsonb, fields jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT coalesce(jsonb_agg(value || fields ORDER BY place), '[]') FROM jsonb_array_elements(list) WITH ORDINALITY AS each (value, place));

-- The line of an order without what an erasure removes. The statements of archive-client-queries.ts do the same in the tables.
CREATE FUNCTION erase_order_line(line jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (line || jsonb_build_object(
  'order', line -> 'order' || '{"rejection_note": null, "note": null, "metadata": {}}',
  'history', overwrite_each(line -> 'history', '{"rejection_note": null}'),
  'shipments', overwrite_each(line -> 'shipments', '{"tracking_number": null, "tracking_url": null}'),
  'checkouts', overwrite_each(line -> 'checkouts', '{"return_url": null}'),
  'refunds', overwrite_each(line -> 'refunds', '{"reason": ""}'),
  'sale', CASE jsonb_typeof(line -> 'sale') WHEN 'object' THEN line -> 'sale' || '{"description": ""}' ELSE 'null' END,
  'saleHistory', overwrite_each(line -> 'saleHistory', '{"description": ""}')
))::text;

-- Records a file, and deletes its orders with everything that belongs to them. Returns false, and does nothing, if one of them is no longer
-- as it was when the file was written, or if somebody has cancelled the file.
CREATE FUNCTION archive_orders(
  of_token bigint, order_ids uuid[], of_month date, of_file text, file_checksum text,
  -- SHA-256 of the lines.
  lines_checksum text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  archive uuid := keyfront.uuid_v7();
  current_checksum text;
BEGIN
  -- Whoever changes one of these rows has done so before, or waits and finds nothing. They are locked in the order of an erasure.
  PERFORM FROM keyfront.orders WHERE token_id = of_token AND id = ANY (order_ids) ORDER BY id FOR UPDATE;
  PERFORM FROM keyfront.sales WHERE token_id = of_token AND order_id = ANY (order_ids) ORDER BY id FOR UPDATE;
  PERFORM FROM keyfront.shipments WHERE token_id = of_token AND order_id = ANY (order_ids) ORDER BY id FOR UPDATE;
  PERFORM FROM keyfront.payment_checkouts WHERE token_id = of_token AND order_id = ANY (order_ids) ORDER BY id FOR UPDATE;
  SELECT encode(sha256(convert_to(string_agg(keyfront.describe_order(orders) || E'\n', '' ORDER BY created_at, id), 'UTF8')), 'hex')
  INTO current_checksum FROM keyfront.orders WHERE token_id = of_token AND id = ANY (order_ids);
  IF current_checksum IS DISTINCT FROM lines_checksum THEN RETURN false; END IF;
  DELETE FROM keyfront.order_archive_drafts WHERE token_id = of_token AND file_name = of_file AND NOT is_cancelled;
  IF NOT FOUND THEN RETURN false; END IF;

  INSERT INTO keyfront.order_archives (token_id, id, month, file_name, checksum, orders, first_created_at, last_created_at)
  SELECT of_token, archive, of_month, of_file, file_checksum, count(*), min(created_at), max(created_at)
  FROM keyfront.orders WHERE token_id = of_token AND id = ANY (order_ids);
  INSERT INTO keyfront.order_archive_clients (token_id, client_id, archive_id)
  SELECT DISTINCT of_token, client_id, archive FROM keyfront.orders WHERE token_id = of_token AND id = ANY (order_ids);
  INSERT INTO keyfront.archived_invoice_numbers (invoice_number)
  SELECT invoice_number FROM keyfront.orders WHERE token_id = of_token AND id = ANY (order_ids);

  PERFORM set_config('keyfront.is_archiving', 'on', true);
  -- Foreign keys are checked when the statement ends.
  WITH lines AS (DELETE FROM keyfront.order_lines WHERE token_id = of_token AND order_id = ANY (order_ids)),
    history AS (DELETE FROM keyfront.order_history WHERE token_id = of_token AND order_id = ANY (order_ids)),
    parcels AS (DELETE FROM keyfront.shipments WHERE token_id = of_token AND order_id = ANY (order_ids)),
    checkouts AS (DELETE FROM keyfront.payment_checkouts WHERE token_id = of_token AND order_id = ANY (order_ids)),
    refunded AS (DELETE FROM keyfront.refunds WHERE token_id = of_token AND order_id = ANY (order_ids)),
    sale AS (DELETE FROM keyfront.sales WHERE token_id = of_token AND order_id = ANY (order_ids) RETURNING id),
    stages AS (DELETE FROM keyfront.sale_history WHERE token_id = of_token AND sale_id IN (SELECT id FROM sale))
  DELETE FROM keyfront.orders WHERE token_id = of_token AND id = ANY (order_ids);
  PERFORM set_config('keyfront.is_archiving', 'off', true);
  RETURN true;
END
$$;

-- Records the file that replaces another one of an archive. Returns false, and does nothing, if somebody else was faster, or has cancelled
-- the file.
CREATE FUNCTION replace_archive_file(
  of_token bigint, archive uuid, former_file text, new_file text, new_checksum text
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM keyfront.order_archives WHERE token_id = of_token AND id = archive AND file_name = former_file FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM keyfront.order_archive_drafts WHERE token_id = of_token AND file_name = new_file AND NOT is_cancelled;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE keyfront.order_archives SET file_name = new_file, checksum = new_checksum WHERE token_id = of_token AND id = archive;
  INSERT INTO keyfront.order_archive_drafts (token_id, file_name) VALUES (of_token, former_file);
  RETURN true;
END
$$;
REVOKE ALL ON FUNCTION archive_orders, replace_archive_file FROM PUBLIC;
GRANT EXECUTE ON FUNCTION archive_orders, replace_archive_file TO keyfront_platform;

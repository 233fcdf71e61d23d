-- Whether the database belongs to a sandbox, and what is possible only there: a holder may reset a digital key, which deletes what is kept
-- for good everywhere else. Elsewhere only `archive_orders` deletes orders, which are in a file then.

-- One row, written when the service first starts. Nobody may change it: what was paid in play money never becomes real, and nothing real
-- is reset. The other side is resources/sandbox.
CREATE TABLE installation (
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
  is_sandbox boolean NOT NULL
);
GRANT SELECT, INSERT ON installation TO keyfront_platform;

CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM keyfront.installation WHERE is_sandbox)
      AND (TG_TABLE_NAME = 'clients' OR current_setting('keyfront.is_archiving', true) IS DISTINCT FROM 'on') THEN
    RAISE insufficient_privilege USING MESSAGE = format('Rows of %s are deleted only in a sandbox', TG_TABLE_NAME);
  END IF;
  RETURN NULL;
END
$$;

CREATE PROCEDURE delete_in_sandbox_only(target regclass) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT DELETE ON %s TO keyfront_platform', target);
  EXECUTE format('CREATE TRIGGER refuse_deletion BEFORE DELETE ON %s FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion()', target);
END
$$;
REVOKE ALL ON PROCEDURE delete_in_sandbox_only FROM PUBLIC;

CALL delete_in_sandbox_only('clients');
CALL delete_in_sandbox_only('orders');
CALL delete_in_sandbox_only('order_lines');
CALL delete_in_sandbox_only('order_history');
CALL delete_in_sandbox_only('shipments');
CALL delete_in_sandbox_only('payment_checkouts');
CALL delete_in_sandbox_only('refunds');

-- Counters follow by changes of their own, as with every other statement. So it does not matter what else changes meanwhile.
CREATE FUNCTION count_deleted_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.order_counter_changes
    (token_id, day, order_status, payment_status, admin_approval, currency, orders, quantity, amount)
  SELECT token_id, (created_at AT TIME ZONE 'UTC')::date, order_status, payment_status, admin_approval, currency,
    -count(*), -sum(total_quantity), -sum(total_amount)
  FROM removed GROUP BY 1, 2, 3, 4, 5, 6;
  -- Statistics count archived orders on.
  IF current_setting('keyfront.is_archiving', true) = 'on' THEN
    INSERT INTO keyfront.order_counter_changes
      (token_id, day, order_status, payment_status, admin_approval, currency, is_archived, orders, quantity, amount)
    SELECT token_id, (created_at AT TIME ZONE 'UTC')::date, order_status, payment_status, admin_approval, currency, true,
      count(*), sum(total_quantity), sum(total_amount)
    FROM removed GROUP BY 1, 2, 3, 4, 5, 6;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_deleted AFTER DELETE ON orders REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_orders();

CREATE FUNCTION count_deleted_clients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE keyfront.client_counters AS counter SET clients = counter.clients - gone.clients
  FROM (
    SELECT token_id, admin_approval, is_kyc_verified, is_active, count(*) AS clients FROM removed WHERE archived_at IS NULL
    GROUP BY 1, 2, 3, 4
  ) AS gone
  WHERE counter.token_id = gone.token_id AND counter.admin_approval = gone.admin_approval
    AND counter.is_kyc_verified = gone.is_kyc_verified AND counter.is_active = gone.is_active;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_deleted AFTER DELETE ON clients REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_clients();

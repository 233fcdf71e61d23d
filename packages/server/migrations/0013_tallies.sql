-- How many clients and orders there are of each kind, so that no count and no chart reads them all.

CREATE TABLE client_tallies (
  token_id token_number NOT NULL REFERENCES digital_keys,
  admin_approval text NOT NULL,
  is_kyc_verified boolean NOT NULL,
  is_active boolean NOT NULL,
  clients bigint NOT NULL,
  PRIMARY KEY (token_id, admin_approval, is_kyc_verified, is_active)
);

CREATE FUNCTION tally_clients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO keyfront.client_tallies AS tally (token_id, admin_approval, is_kyc_verified, is_active, clients)
    SELECT token_id, admin_approval, is_kyc_verified, is_active, count(*) FROM added
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (token_id, admin_approval, is_kyc_verified, is_active)
      DO UPDATE SET clients = tally.clients + excluded.clients;
  ELSE
    INSERT INTO keyfront.client_tallies AS tally (token_id, admin_approval, is_kyc_verified, is_active, clients)
    SELECT token_id, admin_approval, is_kyc_verified, is_active, sum(change) FROM (
      SELECT token_id, admin_approval, is_kyc_verified, is_active, 1 AS change FROM added
      UNION ALL SELECT token_id, admin_approval, is_kyc_verified, is_active, -1 FROM removed
    ) AS changes
    GROUP BY 1, 2, 3, 4 HAVING sum(change) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (token_id, admin_approval, is_kyc_verified, is_active)
      DO UPDATE SET clients = tally.clients + excluded.clients;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER tally_new AFTER INSERT ON clients REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_clients();
CREATE TRIGGER tally_change AFTER UPDATE ON clients REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_clients();

-- Orders are placed too often to let them wait for each other at a counter. Each leaves a change that nobody else
-- touches, and a job folds the changes into the tallies: by day, and over all days. What is true at any moment is the
-- sum of the tallies and of the changes that are not folded yet.
CREATE TABLE order_tallies (
  token_id token_number NOT NULL REFERENCES digital_keys,
  -- In UTC; -infinity stands for all days together.
  day date NOT NULL,
  order_status text NOT NULL,
  payment_status text NOT NULL,
  admin_approval text NOT NULL,
  currency currency_code NOT NULL,
  orders bigint NOT NULL,
  quantity bigint NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (token_id, day, order_status, payment_status, admin_approval, currency)
);

CREATE TABLE order_tally_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  token_id token_number NOT NULL,
  day date NOT NULL,
  order_status text NOT NULL,
  payment_status text NOT NULL,
  admin_approval text NOT NULL,
  currency currency_code NOT NULL,
  orders bigint NOT NULL,
  quantity bigint NOT NULL,
  amount numeric NOT NULL
);
CREATE INDEX order_tally_changes_by_token ON order_tally_changes (token_id);

CREATE FUNCTION tally_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO keyfront.order_tally_changes
      (token_id, day, order_status, payment_status, admin_approval, currency, orders, quantity, amount)
    SELECT token_id, (created_at AT TIME ZONE 'UTC')::date, order_status, payment_status, admin_approval, currency,
      count(*), sum(total_quantity), sum(total_amount)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6;
  ELSE
    INSERT INTO keyfront.order_tally_changes
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
CREATE TRIGGER tally_new AFTER INSERT ON orders REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_orders();
CREATE TRIGGER tally_change AFTER UPDATE ON orders REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_orders();

-- What is there already. Row-level security holds the owner too, so it rests for this moment.
ALTER TABLE clients NO FORCE ROW LEVEL SECURITY;
ALTER TABLE orders NO FORCE ROW LEVEL SECURITY;
INSERT INTO client_tallies
  SELECT token_id, admin_approval, is_kyc_verified, is_active, count(*) FROM clients GROUP BY 1, 2, 3, 4;
INSERT INTO order_tally_changes
    (token_id, day, order_status, payment_status, admin_approval, currency, orders, quantity, amount)
  SELECT token_id, (created_at AT TIME ZONE 'UTC')::date, order_status, payment_status, admin_approval, currency,
    count(*), sum(total_quantity), sum(total_amount)
  FROM orders GROUP BY 1, 2, 3, 4, 5, 6;
ALTER TABLE clients FORCE ROW LEVEL SECURITY;
ALTER TABLE orders FORCE ROW LEVEL SECURITY;

CALL protect('client_tallies', 'token_id = scope_token_id()');
CALL protect('order_tallies', 'token_id = scope_token_id()');
CALL protect('order_tally_changes', 'token_id = scope_token_id()');

GRANT SELECT, INSERT, UPDATE (clients) ON client_tallies TO keyfront_service, keyfront_platform;
GRANT SELECT, INSERT ON order_tally_changes TO keyfront_service, keyfront_platform;
-- Folding.
GRANT SELECT ON order_tallies TO keyfront_service;
GRANT SELECT, INSERT, UPDATE (orders, quantity, amount) ON order_tallies TO keyfront_platform;
GRANT DELETE, UPDATE (orders) ON order_tally_changes TO keyfront_platform;

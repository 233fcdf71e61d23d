-- How many sales there are in each stage and how many carts hold something, so that no list reads them all to count
-- them. As with orders, each change leaves a row that nobody else touches, and a job folds these into the tallies.

CREATE TABLE tallies (
  token_id token_number NOT NULL REFERENCES digital_keys,
  kind text NOT NULL,
  state text NOT NULL,
  entries bigint NOT NULL,
  PRIMARY KEY (token_id, kind, state)
);

CREATE TABLE tally_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  token_id token_number NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  entries bigint NOT NULL
);
CREATE INDEX tally_changes_by_token ON tally_changes (token_id);

CREATE FUNCTION tally_sales() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO keyfront.tally_changes (token_id, kind, state, entries)
    SELECT token_id, 'sale', stage, count(*) FROM added GROUP BY token_id, stage;
  ELSE
    INSERT INTO keyfront.tally_changes (token_id, kind, state, entries)
    SELECT token_id, 'sale', stage, sum(change) FROM (
      SELECT token_id, stage, 1 AS change FROM added UNION ALL SELECT token_id, stage, -1 FROM removed
    ) AS changes
    GROUP BY token_id, stage HAVING sum(change) <> 0;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER tally_new AFTER INSERT ON sales REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_sales();
CREATE TRIGGER tally_change AFTER UPDATE ON sales REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_sales();

-- Whoever changes a cart has locked its client, so that no two statements fill or empty one cart at a time.
CREATE FUNCTION tally_filled_carts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.tally_changes (token_id, kind, state, entries)
  SELECT token_id, 'cart', 'FILLED', count(*)
  FROM (SELECT token_id, cart_id, count(*) AS items FROM added GROUP BY token_id, cart_id) AS filled
  WHERE items = (SELECT count(*) FROM keyfront.cart_items WHERE cart_items.cart_id = filled.cart_id)
  GROUP BY token_id;
  RETURN NULL;
END
$$;
CREATE FUNCTION tally_emptied_carts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.tally_changes (token_id, kind, state, entries)
  SELECT token_id, 'cart', 'FILLED', -count(*)
  FROM (SELECT DISTINCT token_id, cart_id FROM removed) AS emptied
  WHERE NOT EXISTS (SELECT FROM keyfront.cart_items WHERE cart_items.cart_id = emptied.cart_id)
  GROUP BY token_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER tally_filled AFTER INSERT ON cart_items REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_filled_carts();
CREATE TRIGGER tally_emptied AFTER DELETE ON cart_items REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_emptied_carts();

-- What is there already. Row-level security holds the owner too, so it rests for this moment.
ALTER TABLE sales NO FORCE ROW LEVEL SECURITY;
ALTER TABLE cart_items NO FORCE ROW LEVEL SECURITY;
INSERT INTO tally_changes (token_id, kind, state, entries)
  SELECT token_id, 'sale', stage, count(*) FROM sales GROUP BY token_id, stage;
INSERT INTO tally_changes (token_id, kind, state, entries)
  SELECT token_id, 'cart', 'FILLED', count(DISTINCT cart_id) FROM cart_items GROUP BY token_id;
ALTER TABLE sales FORCE ROW LEVEL SECURITY;
ALTER TABLE cart_items FORCE ROW LEVEL SECURITY;

CALL protect('tallies', 'token_id = scope_token_id()');
CALL protect('tally_changes', 'token_id = scope_token_id()');

GRANT SELECT, INSERT ON tally_changes TO keyfront_service, keyfront_platform;
GRANT SELECT ON tallies TO keyfront_service;
-- Folding.
GRANT SELECT, INSERT, UPDATE (entries) ON tallies TO keyfront_platform;
GRANT DELETE, UPDATE (entries) ON tally_changes TO keyfront_platform;

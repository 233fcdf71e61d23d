-- The sales pipeline of a digital key. The digital key's own sale belongs to no client and exists from the start. Every change of a sale
-- leaves a row of history. Triggers do both, so that no way of writing can forget them.

CREATE TABLE sales (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  token_id token_number NOT NULL REFERENCES digital_keys,
  client_id uuid,
  order_id uuid,
  stage text NOT NULL DEFAULT 'LEADS' CHECK (stage IN ('LEADS', 'ONGOING', 'CLOSED')),
  description text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (token_id, client_id) REFERENCES clients (token_id, id),
  FOREIGN KEY (token_id, order_id) REFERENCES orders (token_id, id),
  CHECK (order_id IS NULL OR client_id IS NOT NULL),
  UNIQUE (token_id, id)
);
CREATE UNIQUE INDEX sales_own_of_token ON sales (token_id) WHERE client_id IS NULL;
CREATE UNIQUE INDEX sales_by_order ON sales (order_id);
CREATE INDEX sales_by_client ON sales (client_id, stage);
CREATE INDEX sales_by_creation ON sales (token_id, created_at DESC, id DESC);
CREATE INDEX sales_by_change ON sales (token_id, stage, updated_at DESC, id DESC);
ALTER TABLE sales ALTER COLUMN token_id SET (n_distinct = 20);
CREATE TRIGGER touch BEFORE UPDATE ON sales FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE sale_history (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  sale_id uuid NOT NULL,
  token_id token_number NOT NULL,
  stage text NOT NULL CHECK (stage IN ('LEADS', 'ONGOING', 'CLOSED')),
  description text NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  FOREIGN KEY (token_id, sale_id) REFERENCES sales (token_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX sale_history_by_sale ON sale_history (sale_id, id);
ALTER TABLE sale_history ALTER COLUMN token_id SET (n_distinct = 20);

CALL protect('sales', 'token_id = scope_token_id()');
CALL protect('sale_history', 'token_id = scope_token_id()');
GRANT SELECT, INSERT, UPDATE (stage, description, order_id) ON sales TO keyfront_service, keyfront_platform;
GRANT SELECT, INSERT ON sale_history TO keyfront_service, keyfront_platform;
-- A mint that a reorganisation dropped leaves no sale behind, and erasing a client removes descriptions.
GRANT DELETE ON sales, sale_history TO keyfront_platform;
GRANT UPDATE (description) ON sale_history TO keyfront_platform;

CREATE FUNCTION open_own_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.sales (token_id) VALUES (NEW.token_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER open_own_sale AFTER INSERT ON digital_keys FOR EACH ROW EXECUTE FUNCTION open_own_sale();

CREATE FUNCTION keep_sale_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.sale_history (sale_id, token_id, stage, description, changed_at)
  VALUES (NEW.id, NEW.token_id, NEW.stage, NEW.description, NEW.updated_at);
  RETURN NULL;
END
$$;
CREATE TRIGGER keep_history_of_new AFTER INSERT ON sales FOR EACH ROW
  WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION keep_sale_history();
CREATE TRIGGER keep_history_of_change AFTER UPDATE ON sales FOR EACH ROW
  WHEN ((OLD.stage <> NEW.stage OR OLD.description <> NEW.description)
    AND current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION keep_sale_history();

CREATE FUNCTION count_sales() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO keyfront.counter_changes (token_id, kind, state, entries)
    SELECT token_id, 'sale', stage, count(*) FROM added GROUP BY token_id, stage;
  ELSE
    INSERT INTO keyfront.counter_changes (token_id, kind, state, entries)
    SELECT token_id, 'sale', stage, sum(change) FROM (
      SELECT token_id, stage, 1 AS change FROM added UNION ALL SELECT token_id, stage, -1 FROM removed
    ) AS changes
    GROUP BY token_id, stage HAVING sum(change) <> 0;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_new AFTER INSERT ON sales REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION count_sales();
CREATE TRIGGER count_change AFTER UPDATE ON sales REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT WHEN (current_setting('keyfront.is_placing_order', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION count_sales();

-- The chain reader deletes sales, and archived orders take theirs with them. The counter follows by a change of its own, as with every
-- other statement. So it does not matter when the job runs, and the count is right when the digital key is minted again.
CREATE FUNCTION count_removed_sales() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.counter_changes (token_id, kind, state, entries)
  SELECT token_id, 'sale', stage, -count(*) FROM removed GROUP BY token_id, stage;
  -- Statistics count them on.
  IF current_setting('keyfront.is_archiving', true) = 'on' THEN
    INSERT INTO keyfront.counter_changes (token_id, kind, state, entries)
    SELECT token_id, 'archived sale', stage, count(*) FROM removed GROUP BY token_id, stage;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_removed AFTER DELETE ON sales REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_sales();

-- Events of sales. The own sale of a digital key begins with the digital key, which is no event.
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

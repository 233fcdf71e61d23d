-- The sales pipeline of a digital key. The key's own sale belongs to no client and exists from the start; every change
-- of a sale leaves a row of history. Triggers keep both promises, so that no way of writing can forget them.

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
CREATE INDEX sales_by_stage ON sales (token_id, stage);
CREATE TRIGGER touch BEFORE UPDATE ON sales FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE sale_history (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  sale_id uuid NOT NULL,
  token_id token_number NOT NULL,
  stage text NOT NULL CHECK (stage IN ('LEADS', 'ONGOING', 'CLOSED')),
  description text NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  FOREIGN KEY (token_id, sale_id) REFERENCES sales (token_id, id)
);
CREATE INDEX sale_history_by_sale ON sale_history (sale_id, id);

CALL protect('sales', 'token_id = scope_token_id()');
CALL protect('sale_history', 'token_id = scope_token_id()');

GRANT SELECT, INSERT, UPDATE (stage, description, order_id) ON sales TO keyfront_service, keyfront_platform;
GRANT SELECT, INSERT ON sale_history TO keyfront_service, keyfront_platform;

CREATE FUNCTION keep_sale_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.sale_history (sale_id, token_id, stage, description, changed_at)
  VALUES (NEW.id, NEW.token_id, NEW.stage, NEW.description, NEW.updated_at);
  RETURN NULL;
END
$$;
CREATE TRIGGER keep_history_of_new AFTER INSERT ON sales FOR EACH ROW EXECUTE FUNCTION keep_sale_history();
CREATE TRIGGER keep_history_of_change AFTER UPDATE ON sales FOR EACH ROW
  WHEN (OLD.stage <> NEW.stage OR OLD.description <> NEW.description) EXECUTE FUNCTION keep_sale_history();

CREATE FUNCTION open_own_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.sales (token_id) VALUES (NEW.token_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER open_own_sale AFTER INSERT ON digital_keys FOR EACH ROW EXECUTE FUNCTION open_own_sale();

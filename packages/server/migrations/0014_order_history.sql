-- Every state an order was ever in, with its time and author. A trigger keeps it, so that no way of writing can forget it.

CREATE TABLE order_history (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  order_id uuid NOT NULL,
  token_id token_number NOT NULL,
  order_status text NOT NULL,
  payment_status text NOT NULL,
  admin_approval text NOT NULL,
  rejection_note text,
  changed_at timestamptz(3) NOT NULL,
  author text NOT NULL CHECK (author IN ('HOLDER', 'ADMINISTRATOR', 'SERVICE')),
  -- None where the service did it by itself.
  author_address wallet_address,
  FOREIGN KEY (token_id, order_id) REFERENCES orders (token_id, id)
);
CREATE INDEX order_history_by_order ON order_history (order_id, id);

-- Of the orders that are there already, only where they stand is known. Row-level security holds the owner too, so it
-- rests for this moment.
ALTER TABLE orders NO FORCE ROW LEVEL SECURITY;
INSERT INTO order_history
    (order_id, token_id, order_status, payment_status, admin_approval, rejection_note, changed_at, author)
  SELECT id, token_id, order_status, payment_status, admin_approval, rejection_note, updated_at, 'SERVICE' FROM orders;
ALTER TABLE orders FORCE ROW LEVEL SECURITY;

CALL protect('order_history', 'token_id = scope_token_id()');
GRANT SELECT, INSERT ON order_history TO keyfront_service, keyfront_platform;

CREATE FUNCTION keep_order_history() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  address text := keyfront.scope_wallet_address();
BEGIN
  INSERT INTO keyfront.order_history (order_id, token_id, order_status, payment_status, admin_approval, rejection_note,
    changed_at, author, author_address)
  VALUES (NEW.id, NEW.token_id, NEW.order_status, NEW.payment_status, NEW.admin_approval, NEW.rejection_note,
    NEW.updated_at,
    CASE WHEN address IS NULL THEN 'SERVICE' WHEN current_user = 'keyfront_service' THEN 'HOLDER' ELSE 'ADMINISTRATOR' END,
    address);
  RETURN NULL;
END
$$;
CREATE TRIGGER keep_history_of_new AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION keep_order_history();
CREATE TRIGGER keep_history_of_change AFTER UPDATE ON orders FOR EACH ROW
  WHEN (OLD.order_status <> NEW.order_status OR OLD.payment_status <> NEW.payment_status
    OR OLD.admin_approval <> NEW.admin_approval OR OLD.rejection_note IS DISTINCT FROM NEW.rejection_note)
  EXECUTE FUNCTION keep_order_history();

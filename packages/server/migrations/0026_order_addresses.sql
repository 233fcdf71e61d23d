-- What an order ships to, what its delivery costs, and the note of the customer.

-- Null for orders that were placed before: their address is not known. A line took its stock from the location of its strain in
-- the country of the address.
ALTER TABLE orders ADD COLUMN shipping jsonb, ADD COLUMN note text,
  ADD COLUMN delivery_charge numeric(12, 2) NOT NULL DEFAULT 0;
-- Not valid, so that the migration reads no order. New rows are checked.
ALTER TABLE orders ADD CONSTRAINT orders_delivery_charge_check
  CHECK (delivery_charge >= 0 AND delivery_charge <= total_amount) NOT VALID;

-- A holder may cancel an order that nobody has worked on, and may not change its status otherwise.
GRANT UPDATE (order_status, stock_returned_at) ON orders TO keyfront_service;
CREATE FUNCTION guard_order_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user = 'keyfront_service' AND NOT (NEW.order_status = 'CANCELLED' AND OLD.order_status = 'PENDING'
      AND OLD.admin_approval = 'PENDING' AND OLD.payment_status IN ('PENDING', 'FAILED')) THEN
    RAISE EXCEPTION 'permission denied to change the order' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard_status BEFORE UPDATE OF order_status ON orders FOR EACH ROW EXECUTE FUNCTION guard_order_status();

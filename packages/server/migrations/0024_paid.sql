-- no-transaction
-- A payment that was COMPLETED is PAID. Instances of the previous version still write COMPLETED while they are replaced, so a
-- trigger renames it. The stored rows are renamed in batches, so that no order waits for them.

-- One transaction. It takes its locks at once, or is tried again.
DO $$
BEGIN
  SET LOCAL lock_timeout = '100ms';
  ALTER TABLE orders DROP CONSTRAINT IF EXISTS orders_payment_status_check,
    ADD CONSTRAINT orders_payment_status_check
      CHECK (payment_status IN ('PENDING', 'PROCESSING', 'PAID', 'FAILED', 'REFUNDED')) NOT VALID;
  CREATE OR REPLACE FUNCTION rename_completed_payment() RETURNS trigger LANGUAGE plpgsql AS '
    BEGIN NEW.payment_status := ''PAID''; RETURN NEW; END';
  CREATE OR REPLACE TRIGGER rename_completed BEFORE INSERT OR UPDATE ON orders FOR EACH ROW
    WHEN (NEW.payment_status = 'COMPLETED') EXECUTE FUNCTION rename_completed_payment();
  -- A new name is no change of the order: the batches below set no time and write no history.
  CREATE OR REPLACE TRIGGER touch BEFORE UPDATE ON orders FOR EACH ROW
    WHEN (current_setting('keyfront.is_renaming', true) IS DISTINCT FROM 'yes') EXECUTE FUNCTION touch_updated_at();
  CREATE OR REPLACE TRIGGER keep_history_of_change AFTER UPDATE ON orders FOR EACH ROW
    WHEN (current_setting('keyfront.is_renaming', true) IS DISTINCT FROM 'yes'
      AND (OLD.order_status <> NEW.order_status OR OLD.payment_status <> NEW.payment_status
        OR OLD.admin_approval <> NEW.admin_approval OR OLD.rejection_note IS DISTINCT FROM NEW.rejection_note))
    EXECUTE FUNCTION keep_order_history();
  -- Row-level security holds the owner too, so it rests until the end. No instance works as the owner.
  ALTER TABLE orders NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE order_history NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE order_tally_changes NO FORCE ROW LEVEL SECURITY;
END
$$;

-- Each batch is a transaction. The trigger of the counters moves each order from COMPLETED to PAID.
DO $$
DECLARE
  batch uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  PERFORM set_config('keyfront.is_renaming', 'yes', false);
  LOOP
    batch := ARRAY(SELECT id FROM orders WHERE id > last ORDER BY id LIMIT 1000);
    EXIT WHEN batch = '{}';
    UPDATE orders SET payment_status = 'PAID' WHERE id = ANY (batch) AND payment_status = 'COMPLETED';
    last := batch[cardinality(batch)];
    COMMIT;
  END LOOP;
  PERFORM set_config('keyfront.is_renaming', '', false);
END
$$;

DO $$
DECLARE
  last bigint := 0;
BEGIN
  WHILE last < coalesce((SELECT max(id) FROM order_history), 0) LOOP
    UPDATE order_history SET payment_status = 'PAID'
    WHERE id > last AND id <= last + 10000 AND payment_status = 'COMPLETED';
    last := last + 10000;
    COMMIT;
  END LOOP;
END
$$;

-- Reads all orders, and lets them be written meanwhile.
ALTER TABLE orders VALIDATE CONSTRAINT orders_payment_status_check;

DO $$
BEGIN
  SET LOCAL lock_timeout = '100ms';
  CREATE OR REPLACE TRIGGER touch BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
  CREATE OR REPLACE TRIGGER keep_history_of_change AFTER UPDATE ON orders FOR EACH ROW
    WHEN (OLD.order_status <> NEW.order_status OR OLD.payment_status <> NEW.payment_status
      OR OLD.admin_approval <> NEW.admin_approval OR OLD.rejection_note IS DISTINCT FROM NEW.rejection_note)
    EXECUTE FUNCTION keep_order_history();
  ALTER TABLE orders FORCE ROW LEVEL SECURITY;
  ALTER TABLE order_history FORCE ROW LEVEL SECURITY;
  ALTER TABLE order_tally_changes FORCE ROW LEVEL SECURITY;
END
$$;

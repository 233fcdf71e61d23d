-- PostgreSQL plans as for a large holder where it does not know the digital key: in the policies of row-level security, and in a plan for
-- all values. By its own statistics it supposes an average holder. Where most have few orders, it would then read all orders of the
-- digital key to find some by their ids, which takes seconds for a holder with a million. These changes block neither reads nor writes.

-- Longer than others wait: an automatic vacuum has the same lock, and gives way after a second. Nobody waits behind this one.
SET LOCAL lock_timeout = '5s';
LOCK TABLE orders, order_lines, order_history, clients, carts, cart_items, sales, sale_history, events IN SHARE UPDATE EXCLUSIVE MODE;

DO $$
DECLARE
  holder_table regclass;
BEGIN
  FOREACH holder_table IN ARRAY '{orders,order_lines,order_history,clients,carts,cart_items,sales,sale_history,events}'::regclass[]
  LOOP
    -- One row in twenty belongs to the digital key, or as many as to the largest one, if that is less.
    EXECUTE format('ALTER TABLE %s ALTER COLUMN token_id SET (n_distinct = 20)', holder_table);
    -- It applies to statistics that are made from now on. Those of an empty table would say that it stays empty.
    IF pg_relation_size(holder_table) > 0 THEN
      EXECUTE format('ANALYZE %s (token_id)', holder_table);
    END IF;
  END LOOP;
END
$$;

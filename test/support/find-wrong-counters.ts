import type { Storefront } from './storefront.ts';

/** Returns the counters of these digital keys that contradict the tables, with what is wrong. */
export function findWrongCounters(
  sql: Storefront['sql'],
  firstToken: number,
  lastToken = firstToken,
): Promise<{ problem: string }[]> {
  return sql<{ problem: string }>(
    `WITH order_counters AS (
       SELECT token_id, order_status, orders, quantity, amount FROM order_tallies WHERE day = '-infinity'
       UNION ALL SELECT token_id, order_status, orders, quantity, amount FROM order_tally_changes
     ), counted AS (
       SELECT token_id, name, sum(count) AS count FROM (
         SELECT token_id, kind || ' ' || state AS name, entries AS count FROM tallies
         UNION ALL SELECT token_id, kind || ' ' || state, entries FROM tally_changes
         UNION ALL SELECT token_id, 'order ' || order_status, orders FROM order_counters
         UNION ALL SELECT token_id, 'ordered units', quantity FROM order_counters
         UNION ALL SELECT token_id, 'ordered amount', amount FROM order_counters
         UNION ALL SELECT token_id, 'client ' || admin_approval, clients FROM client_tallies
       ) AS counters WHERE token_id BETWEEN $1 AND $2 GROUP BY 1, 2 HAVING sum(count) <> 0
     ), stored AS (
       SELECT token_id, name, sum(count) AS count FROM (
         SELECT token_id, 'sale ' || stage AS name, 1 AS count FROM sales
         UNION ALL SELECT token_id, 'cart FILLED', 1 FROM carts
           WHERE EXISTS (SELECT FROM cart_items WHERE cart_id = carts.id)
         UNION ALL SELECT token_id, 'order ' || order_status, 1 FROM orders
         UNION ALL SELECT token_id, 'ordered units', total_quantity FROM orders
         UNION ALL SELECT token_id, 'ordered amount', total_amount FROM orders
         UNION ALL SELECT token_id, 'client ' || admin_approval, 1 FROM clients
       ) AS entries WHERE token_id BETWEEN $1 AND $2 GROUP BY 1, 2 HAVING sum(count) <> 0
     )
     SELECT format('%s of %s: counted %s, stored %s', name, token_id, counted.count, stored.count) AS problem
     FROM counted FULL JOIN stored USING (token_id, name) WHERE counted.count IS DISTINCT FROM stored.count`,
    [firstToken, lastToken],
  );
}

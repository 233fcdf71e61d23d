type RunStatement = (text: string, values: unknown[]) => Promise<{ problem: string }[]>;

const highestToken = Number.MAX_SAFE_INTEGER;

/**
 * Returns the counters of these digital keys that contradict the tables, with what is wrong. A counter is right as the sum of what
 * was folded and of the changes since: those of orders for each day and for all days together. What was archived is in no table.
 */
export function findWrongCounters(
  sql: RunStatement,
  firstToken = 0,
  lastToken = firstToken === 0 ? highestToken : firstToken,
): Promise<{ problem: string }[]> {
  const states = `concat_ws(' ', 'orders', order_status, payment_status, admin_approval, currency)`;
  return sql(
    `WITH order_counters AS (
       SELECT token_id, day, ${states} AS name, orders, quantity, amount FROM keyfront.order_counters WHERE NOT is_archived
       UNION ALL SELECT token_id, of_day.day, ${states}, orders, quantity, amount
       FROM keyfront.order_counter_changes AS change, LATERAL (VALUES (change.day), ('-infinity')) AS of_day (day)
       WHERE NOT is_archived
     ), stored_orders AS (
       SELECT token_id, of_day.day, ${states} AS name, 1 AS orders, total_quantity AS quantity, total_amount AS amount
       FROM keyfront.orders, LATERAL (VALUES ((created_at AT TIME ZONE 'UTC')::date), ('-infinity')) AS of_day (day)
     ), counted AS (
       SELECT token_id, name, sum(count) AS count FROM (
         SELECT token_id, kind || ' ' || state AS name, entries AS count FROM keyfront.counters WHERE kind <> 'archived sale'
         UNION ALL SELECT token_id, kind || ' ' || state, entries FROM keyfront.counter_changes WHERE kind <> 'archived sale'
         UNION ALL SELECT token_id, 'client ' || admin_approval, clients FROM keyfront.client_counters
         UNION ALL ${columnsOf('order_counters')}
       ) AS counters WHERE token_id BETWEEN $1 AND $2 GROUP BY 1, 2 HAVING sum(count) <> 0
     ), stored AS (
       SELECT token_id, name, sum(count) AS count FROM (
         SELECT token_id, 'sale ' || stage AS name, 1 AS count FROM keyfront.sales
         UNION ALL SELECT token_id, 'cart FILLED', 1 FROM keyfront.carts
           WHERE EXISTS (SELECT FROM keyfront.cart_items WHERE cart_id = carts.id)
         UNION ALL SELECT token_id, 'client ' || admin_approval, 1 FROM keyfront.clients
         UNION ALL ${columnsOf('stored_orders')}
       ) AS entries WHERE token_id BETWEEN $1 AND $2 GROUP BY 1, 2 HAVING sum(count) <> 0
     )
     SELECT format('%s of %s: counted %s, stored %s', name, token_id, counted.count, stored.count) AS problem
     FROM counted FULL JOIN stored USING (token_id, name) WHERE counted.count IS DISTINCT FROM stored.count`,
    [firstToken, lastToken],
  );
}

/** The numbers of orders by their name: how many, their units and their amount. */
function columnsOf(orders: string): string {
  return `SELECT token_id, concat_ws(' ', name, CASE day WHEN '-infinity' THEN 'on all days' ELSE 'on ' || day END, what), value
    FROM ${orders}, LATERAL (VALUES ('(number)', orders), ('(units)', quantity), ('(amount)', amount)) AS number (what, value)`;
}

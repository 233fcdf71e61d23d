import type { Approval, ChartInterval, OrderStatus, PaymentStatus } from '@keyfront/protocol';
import { compactInto } from '../../../database/queries/counters.ts';
import { query } from '../../../database/queries/query.ts';
import type { HolderScope } from '../../../database/transactions/scope.ts';

/** The counters of orders with the same statuses and currency. */
export interface OrderCount {
  readonly orderStatus: OrderStatus;
  readonly paymentStatus: PaymentStatus;
  readonly adminApproval: Approval;
  readonly currency: string;
  readonly orders: number;
  readonly quantity: number;
  /** Decimal text, so that a sum of sums stays exact at any size. */
  readonly amount: string;
}

/** Lists the counters per status and currency over all days. */
export const listOrderTotals = query<OrderCount>(
  'orders.totals',
  `SELECT order_status AS "orderStatus", payment_status AS "paymentStatus", admin_approval AS "adminApproval", currency,
     sum(orders)::bigint AS orders, sum(quantity)::bigint AS quantity, sum(amount)::numeric(20, 2)::text AS amount
   FROM (
     SELECT order_status, payment_status, admin_approval, currency, orders, quantity, amount
     FROM order_counters WHERE token_id = $1 AND day = '-infinity'
     UNION ALL SELECT order_status, payment_status, admin_approval, currency, orders, quantity, amount
     FROM order_counter_changes WHERE token_id = $1
   ) AS counters
   GROUP BY 1, 2, 3, 4 HAVING sum(orders) <> 0 ORDER BY currency`,
  { indexScansOnly: true },
).listInScope((scope: HolderScope) => [scope.tokenId]);

export interface ChartPoint {
  /** The first day of the interval; null in a row that only carries the currency. */
  readonly date: string | null;
  readonly currency: string | null;
  /** In this currency. */
  readonly orders: number;
  /** In every currency. */
  readonly allOrders: number;
  readonly revenue: number;
  readonly paidRevenue: number;
}

const isRevenue = `counters.currency = chosen.currency AND order_status <> 'CANCELLED'`;

/** Lists the intervals that have orders, unsorted, with the requested or default currency. */
export const listChartPoints = query<ChartPoint>(
  'orders.chart',
  // Chooses the default currency, the one of most orders, in the same round trip.
  `WITH chosen AS (
     SELECT coalesce($5, (
       SELECT currency FROM (
         SELECT currency, orders FROM order_counters WHERE token_id = $1 AND day = '-infinity'
         UNION ALL SELECT currency, orders FROM order_counter_changes WHERE token_id = $1
       ) AS totals GROUP BY currency HAVING sum(orders) <> 0 ORDER BY sum(orders) DESC, currency LIMIT 1
     )) AS currency
   ), points AS (
     SELECT date_trunc($4, day::timestamp)::date::text AS date, sum(orders)::bigint AS all_orders,
       coalesce(sum(orders) FILTER (WHERE counters.currency = chosen.currency), 0)::bigint AS orders,
       coalesce(sum(amount) FILTER (WHERE ${isRevenue}), 0)::numeric(20, 2) AS revenue,
       coalesce(sum(amount) FILTER (WHERE ${isRevenue} AND payment_status = 'PAID'), 0)::numeric(20, 2) AS paid_revenue
     FROM (
       SELECT day, currency, order_status, payment_status, orders, amount FROM order_counters
       WHERE token_id = $1 AND day BETWEEN $2::date AND $3::date
       UNION ALL SELECT day, currency, order_status, payment_status, orders, amount FROM order_counter_changes
       WHERE token_id = $1 AND day BETWEEN $2::date AND $3::date
     ) AS counters, chosen
     GROUP BY 1
   )
   SELECT chosen.currency, points.date, coalesce(points.orders, 0) AS orders, coalesce(all_orders, 0) AS "allOrders",
     coalesce(points.revenue, 0) AS revenue, coalesce(paid_revenue, 0) AS "paidRevenue"
   FROM chosen LEFT JOIN points ON true`,
  { indexScansOnly: true },
).listInScope(
  (
    scope: HolderScope,
    range: { readonly startDate: string; readonly endDate: string; readonly interval: ChartInterval },
    currency: string | null,
  ) => [scope.tokenId, range.startDate, range.endDate, range.interval, currency],
);

/** Compacts all counter changes of orders, or stops when the signal aborts. */
export const compactOrderCounters = compactInto({
  name: 'orders.compact-counters',
  counters: 'order_counters',
  changes: 'order_counter_changes',
  keys: ['token_id', 'day', 'order_status', 'payment_status', 'admin_approval', 'currency', 'is_archived'],
  sums: ['orders', 'quantity', 'amount'],
  // Each change is added to its day and to the total.
  source: `(
    SELECT unnest(ARRAY[day, '-infinity']) AS day, token_id, order_status, payment_status, admin_approval, currency,
      is_archived, orders, quantity, amount FROM taken
  ) AS changes`,
});

import type { StatementValues } from '../../../database/queries/statement-values.ts';
import type { OrderFilter, OrderSort } from './order-filter.ts';
import { splitIntoDays } from './split-into-days.ts';

/** Composes the conditions that apply to orders and to their counters. `writeToken` turns the placeholder of the digital key into SQL. */
export function composeStatusConditions(
  filter: OrderFilter,
  values: StatementValues,
  writeToken = (placeholder: string) => placeholder,
): string[] {
  const conditions: string[] = [];
  if (filter.tokenId !== null) conditions.push(`token_id = ${writeToken(values.add(filter.tokenId))}`);
  if (filter.orderStatus !== null) conditions.push(`order_status = ${values.add(filter.orderStatus)}`);
  if (filter.paymentStatus !== null) conditions.push(`payment_status = ${values.add(filter.paymentStatus)}`);
  if (filter.adminApproval !== null) conditions.push(`admin_approval = ${values.add(filter.adminApproval)}`);
  return conditions;
}

export function composeWhere(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** Lists do not contain archived orders. */
const inTable = 'NOT is_archived';

/** Composes a count: whole days from the counters, and only the remainders at the edges from order rows. */
export function composeCountFromCounters(filter: OrderFilter, values: StatementValues): string {
  const { days, rests } = splitIntoDays(filter.from, filter.to);
  const statuses = composeStatusConditions(filter, values);
  const counts = rests.map(({ from, to }) => {
    const range = `created_at BETWEEN ${values.add(from)} AND ${values.add(to)}`;
    return `(SELECT count(*) FROM orders ${composeWhere([...statuses, range])})`;
  });
  if (days) {
    const range = composeDayRange(days, values);
    const compacted = range.length === 0 ? `day = '-infinity'` : `day > '-infinity'`;
    counts.push(`(SELECT coalesce(sum(orders), 0)::bigint FROM (
      SELECT orders FROM order_counters ${composeWhere([...statuses, ...range, inTable, compacted])}
      UNION ALL SELECT orders FROM order_counter_changes ${composeWhere([...statuses, ...range, inTable])}
    ) AS counters)`);
  }
  return counts.join(' + ');
}

/**
 * Composes the start of a page of a list sorted by creation: the counters tell on which day the page begins, and at which
 * offset within it. Returns null if the range begins or ends within a day, because counters cover whole days. Nothing is
 * skipped where `condition`, in SQL, is false.
 */
export function composeDaySkip(
  filter: OrderFilter,
  { direction }: OrderSort,
  offset: number,
  values: StatementValues,
  condition: string,
): { days: string; place: string[]; offset: string } | null {
  const { days, rests } = splitIntoDays(filter.from, filter.to);
  if (!days || rests.length > 0) return null;
  const where = [...composeStatusConditions(filter, values), ...composeDayRange(days, values), inTable];
  const skipped = values.add(offset);
  const from = `(SELECT day::timestamptz FROM arrival)`;
  const until = `(SELECT (day + 1)::timestamptz FROM arrival)`;
  return {
    days: `arrival AS (
      SELECT day, ${skipped}::bigint - (reached - orders) AS skip FROM (
        SELECT day, sum(orders) AS orders, sum(sum(orders)) OVER (ORDER BY day ${direction}) AS reached FROM (
          SELECT day, orders FROM order_counters ${composeWhere([...where, `day > '-infinity'`])}
          UNION ALL SELECT day, orders FROM order_counter_changes ${composeWhere(where)}
        ) AS counters GROUP BY day
      ) AS days WHERE reached > ${skipped}::bigint ORDER BY day ${direction} LIMIT 1
    )`,
    place: [
      // Beyond the last order there is no such day, and the page is empty.
      direction === 'asc'
        ? `orders.created_at >= CASE WHEN ${condition} THEN ${from} ELSE '-infinity' END`
        : `orders.created_at < CASE WHEN ${condition} THEN ${until} ELSE 'infinity' END`,
    ],
    offset: `OFFSET CASE WHEN ${condition}
      THEN (SELECT coalesce(max(skip), 0)::bigint FROM arrival) ELSE ${skipped}::bigint END`,
  };
}

function composeDayRange(
  { first, last }: { readonly first: string | null; readonly last: string | null },
  values: StatementValues,
): string[] {
  const range: string[] = [];
  if (first !== null) range.push(`day >= ${values.add(first)}`);
  if (last !== null) range.push(`day <= ${values.add(last)}`);
  return range;
}

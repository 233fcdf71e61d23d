import type { StatementValues } from '../../../database/statement-values.ts';
import type { OrderFilter, OrderSort } from './order-filter.ts';
import { splitIntoDays } from './split-into-days.ts';

/** What orders and their tallies have in common. */
export function statusConditions(filter: OrderFilter, values: StatementValues): string[] {
  const conditions: string[] = [];
  if (filter.tokenId !== null) conditions.push(`token_id = ${values.add(filter.tokenId)}`);
  if (filter.orderStatus !== null) conditions.push(`order_status = ${values.add(filter.orderStatus)}`);
  if (filter.paymentStatus !== null) conditions.push(`payment_status = ${values.add(filter.paymentStatus)}`);
  if (filter.adminApproval !== null) conditions.push(`admin_approval = ${values.add(filter.adminApproval)}`);
  return conditions;
}

export function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** Counts without reading what it counts: whole days from the tallies, and only what is left of the edges for real. */
export function countFromTallies(filter: OrderFilter, values: StatementValues): string {
  const { days, rests } = splitIntoDays(filter.from, filter.to);
  const statuses = statusConditions(filter, values);
  const counts = rests.map(({ from, to }) => {
    const range = `created_at BETWEEN ${values.add(from)} AND ${values.add(to)}`;
    return `(SELECT count(*) FROM orders ${whereOf([...statuses, range])})`;
  });
  if (days) {
    const range = rangeOf(days, values);
    const folded = range.length === 0 ? `day = '-infinity'` : `day > '-infinity'`;
    counts.push(`(SELECT coalesce(sum(orders), 0)::bigint FROM (
      SELECT orders FROM order_tallies ${whereOf([...statuses, ...range, folded])}
      UNION ALL SELECT orders FROM order_tally_changes ${whereOf([...statuses, ...range])}
    ) AS tallies)`);
  }
  return counts.join(' + ');
}

/**
 * The way to a far page of a list by creation: the tallies say on which day the page begins, and how far into it. Null where
 * the range begins or ends within a day, whose part nobody has counted.
 */
export function skipDays(
  filter: OrderFilter,
  { direction }: OrderSort,
  offset: number,
  values: StatementValues,
): { before: string; place: string[]; offset: string } | null {
  const { days, rests } = splitIntoDays(filter.from, filter.to);
  if (!days || rests.length > 0) return null;
  const where = [...statusConditions(filter, values), ...rangeOf(days, values)];
  const skipped = values.add(offset);
  return {
    before: `WITH arrival AS (
      SELECT day, ${skipped}::bigint - (reached - orders) AS skip FROM (
        SELECT day, sum(orders) AS orders, sum(sum(orders)) OVER (ORDER BY day ${direction}) AS reached FROM (
          SELECT day, orders FROM order_tallies ${whereOf([...where, `day > '-infinity'`])}
          UNION ALL SELECT day, orders FROM order_tally_changes ${whereOf(where)}
        ) AS tallies GROUP BY day
      ) AS days WHERE reached > ${skipped}::bigint ORDER BY day ${direction} LIMIT 1
    )`,
    place: [
      direction === 'asc'
        ? `orders.created_at >= (SELECT day::timestamptz FROM arrival)`
        : `orders.created_at < (SELECT (day + 1)::timestamptz FROM arrival)`,
    ],
    // Beyond the last order there is no such day, no order after it, and nothing to skip.
    offset: 'OFFSET (SELECT coalesce(max(skip), 0)::bigint FROM arrival)',
  };
}

function rangeOf(
  { first, last }: { readonly first: string | null; readonly last: string | null },
  values: StatementValues,
): string[] {
  const range: string[] = [];
  if (first !== null) range.push(`day >= ${values.add(first)}`);
  if (last !== null) range.push(`day <= ${values.add(last)}`);
  return range;
}

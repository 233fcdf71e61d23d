import type { DashboardPoint } from '@keyfront/sdk';
import { toCents } from '../../format/read-cents.ts';

export interface ComparedPoint extends DashboardPoint {
  /** Of the same point of the period before. */
  readonly previousRevenue: number;
  readonly previousOrders: number;
}

export interface Comparison {
  readonly points: readonly ComparedPoint[];
  readonly totals: Totals;
  readonly previousTotals: Totals;
}

interface Totals {
  readonly revenue: number;
  readonly paidRevenue: number;
  readonly orders: number;
  readonly clients: number;
}

/** Splits points into the last `count` and those before them, side by side. */
export function comparePeriods(points: readonly DashboardPoint[], count: number): Comparison {
  const current = points.slice(-count);
  const previous = points.slice(-2 * count, -count);
  const missing = current.length - previous.length;
  return {
    points: current.map((point, index) => ({
      ...point,
      previousRevenue: previous[index - missing]?.revenue ?? 0,
      previousOrders: previous[index - missing]?.orders ?? 0,
    })),
    totals: addUp(current),
    previousTotals: addUp(previous),
  };
}

function addUp(points: readonly DashboardPoint[]): Totals {
  const total = (read: (point: DashboardPoint) => number) =>
    points.reduce((sum, point) => sum + toCents(read(point)), 0) / 100;
  return {
    revenue: total(({ revenue }) => revenue),
    paidRevenue: total(({ paidRevenue }) => paidRevenue),
    orders: points.reduce((sum, { orders }) => sum + orders, 0),
    clients: points.reduce((sum, { clients }) => sum + clients, 0),
  };
}

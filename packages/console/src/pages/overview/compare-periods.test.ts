import { describe, expect, it } from 'vitest';
import { comparePeriods } from './compare-periods.ts';
import { firstDayOf, readOverviewSearch } from './period.ts';

const point = (date: string, revenue: number, orders = 1) => ({
  date,
  revenue,
  paidRevenue: revenue / 2,
  orders,
  clients: 0,
});

describe('the periods of the overview', () => {
  it('puts each point beside that of the period before', () => {
    const { points, totals, previousTotals } = comparePeriods(
      [point('a', 1), point('b', 2.2), point('c', 0.1), point('d', 0.2)],
      2,
    );
    expect(points.map(({ date, revenue, previousRevenue }) => [date, revenue, previousRevenue])).toEqual([
      ['c', 0.1, 1],
      ['d', 0.2, 2.2],
    ]);
    expect(totals).toEqual({ revenue: 0.3, paidRevenue: 0.15, orders: 2, clients: 0 });
    expect(previousTotals.revenue).toBe(3.2);
  });

  it('takes a period that is not complete as one that began with nothing', () => {
    const { points } = comparePeriods([point('b', 2), point('c', 3), point('d', 4)], 2);
    expect(points.map(({ previousRevenue }) => previousRevenue)).toEqual([0, 2]);
  });

  it('asks for twice the period', () => {
    const today = new Date('2026-03-31T23:00:00Z');
    expect(firstDayOf('day', today)).toBe('2026-01-31');
    expect(firstDayOf('week', today)).toBe('2025-10-21');
    expect(firstDayOf('month', today)).toBe('2024-04-01');
  });

  it('ignores a period that there is not, and what is no currency', () => {
    expect(readOverviewSearch({ period: 'week', currency: 'GBP' })).toEqual({
      period: 'week',
      currency: 'GBP',
    });
    expect(readOverviewSearch({ period: 'toString', currency: 'euro' })).toEqual({});
    expect(readOverviewSearch({ period: 7, currency: 1 })).toEqual({});
  });
});

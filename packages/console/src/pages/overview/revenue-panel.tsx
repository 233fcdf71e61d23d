import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMoney } from '../../format/format-money.ts';
import { comparePeriods } from './compare-periods.ts';
import { dashboardAnalytics, dashboardSummary } from './dashboard-queries.ts';
import { Figure } from './figure.tsx';
import { type Period, periods } from './period.ts';
import { RevenueChart } from './revenue-chart.tsx';
import classes from './revenue-panel.module.css';

/** Revenue, orders and new clients of a period, beside those of the one before. */
export function RevenuePanel({ period }: { readonly period: Period }) {
  const { data, error, refetch } = useQuery(dashboardAnalytics(period));
  const { data: summary } = useQuery(dashboardSummary);
  if (error && !data) {
    return (
      <ErrorNotice title="The figures could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  const { count, previous } = periods[period];
  // While another period is on its way, the one before stays on the screen.
  const comparison = data && comparePeriods(data.analytics, periods[data.filterBy].count ?? count);
  const currency = data?.currency ?? 'EUR';
  const others = summary?.orders.revenue.map((total) => total.currency).filter((each) => each !== currency);
  return (
    <Panel>
      <div className={classes.figures}>
        <Figure
          label="Revenue"
          value={comparison && formatMoney(comparison.totals.revenue, currency)}
          current={comparison?.totals.revenue}
          previous={comparison?.previousTotals.revenue}
          previousLabel={previous}
        />
        <Figure
          label="Orders"
          value={comparison?.totals.orders.toLocaleString()}
          current={comparison?.totals.orders}
          previous={comparison?.previousTotals.orders}
          previousLabel={previous}
        />
        <Figure
          label="New clients"
          value={comparison?.totals.clients.toLocaleString()}
          current={comparison?.totals.clients}
          previous={comparison?.previousTotals.clients}
          previousLabel={previous}
        />
      </div>
      <div className={classes.chart}>
        {comparison ? (
          <RevenueChart points={comparison.points} currency={currency} period={period} />
        ) : (
          <Skeleton height="100%" />
        )}
      </div>
      <Text size="xs" c="dimmed" mt="sm" className={data?.currency ? undefined : classes.unknown}>
        Revenue and orders are those in {currency}.
        {others && others.length > 0 && ` Orders in ${others.join(', ')} are not included.`} Cancelled orders
        are counted, but add no revenue.
      </Text>
    </Panel>
  );
}

import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { formatMoney } from '../../format/format-money.ts';
import { formatNumber } from '../../format/format-number.ts';
import { texts } from '../../texts/overview.ts';
import { comparePeriods } from './compare-periods.ts';
import { dashboardAnalytics, dashboardSummary } from './dashboard-queries.ts';
import { Figure } from './figure.tsx';
import { type Period, periods } from './period.ts';
import { RevenueChart } from './revenue-chart.tsx';
import classes from './revenue-panel.module.css';

interface RevenuePanelProps {
  readonly period: Period;
  /** Undefined for that of most orders. */
  readonly currency: string | undefined;
  readonly onCurrency: (currency: string) => void;
}

/** Placed and paid revenue, orders and new clients of a period, beside those of the one before. */
export function RevenuePanel({ period, currency: chosen, onCurrency }: RevenuePanelProps) {
  const { data, error, refetch } = useQuery(dashboardAnalytics(period, chosen));
  const { data: summary } = useQuery(dashboardSummary);
  if (error && !data) {
    return <ErrorNotice title={texts.figuresCouldNotBeLoaded} error={error} onRetry={() => void refetch()} />;
  }
  const { count, previous } = periods[period];
  // While another period is on its way, the one before stays on the screen.
  const comparison = data && comparePeriods(data.analytics, periods[data.filterBy].count ?? count);
  const currency = data?.currency ?? 'EUR';
  const currencies = summary?.orders.revenue.map((total) => total.currency) ?? [];
  const shown = chosen ?? currency;
  return (
    <Panel
      title={texts.revenueAndOrders}
      aside={
        currencies.length > 1 && (
          <select
            className={classes.currency}
            aria-label={texts.currencyOfRevenue}
            value={shown}
            onChange={({ currentTarget }) => onCurrency(currentTarget.value)}
          >
            {(currencies.includes(shown) ? currencies : [shown, ...currencies]).map((code) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        )
      }
    >
      <div className={classes.figures}>
        <Figure
          label={texts.placedRevenue}
          value={comparison && formatMoney(comparison.totals.revenue, currency)}
          current={comparison?.totals.revenue}
          previous={comparison?.previousTotals.revenue}
          previousLabel={previous}
        />
        <Figure
          label={texts.paidRevenue}
          value={comparison && formatMoney(comparison.totals.paidRevenue, currency)}
          current={comparison?.totals.paidRevenue}
          previous={comparison?.previousTotals.paidRevenue}
          previousLabel={previous}
        />
        <Figure
          label={texts.orders}
          value={comparison && formatNumber(comparison.totals.orders)}
          current={comparison?.totals.orders}
          previous={comparison?.previousTotals.orders}
          previousLabel={previous}
        />
        <Figure
          label={texts.newClients}
          value={comparison && formatNumber(comparison.totals.clients)}
          current={comparison?.totals.clients}
          previous={comparison?.previousTotals.clients}
          previousLabel={previous}
        />
      </div>
      <div className={classes.chart}>
        {comparison ? (
          <RevenueChart points={comparison.points} currency={currency} period={period} />
        ) : (
          <Skeleton height={262} />
        )}
      </div>
      <p className={classes.explanation} data-known={data?.currency !== undefined}>
        {texts.explanation(currency, periods[data?.filterBy ?? period].point)}
      </p>
    </Panel>
  );
}

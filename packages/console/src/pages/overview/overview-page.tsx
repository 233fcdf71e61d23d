import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { ClientPanel } from './client-panel.tsx';
import { LatestEvents } from './latest-events.tsx';
import { LatestOrders } from './latest-orders.tsx';
import { OnboardingPanel } from './onboarding-panel.tsx';
import classes from './overview-page.module.css';
import { type OverviewSearch, type Period, periods } from './period.ts';
import { RevenuePanel } from './revenue-panel.tsx';
import { SalesPanel } from './sales-panel.tsx';
import { useOnboarding } from './use-onboarding.ts';
import { WaitingPanel } from './waiting-panel.tsx';

/** How the shop of a holder is doing. */
export function OverviewPage() {
  const search = useSearch({ from: '/shell/' });
  const { period = 'day', currency } = search;
  const onboarding = useOnboarding();
  const navigate = useNavigate();
  const change = (changed: OverviewSearch) =>
    void navigate({ to: '/', search: { ...search, ...changed }, replace: true });
  return (
    <>
      <PageHeader
        title="Overview"
        description="Everything of the primary digital key"
        actions={
          <SegmentedControl
            aria-label="Period"
            value={period}
            onChange={(value) => change({ period: value as Period })}
            data={Object.entries(periods).map(([value, { label }]) => ({ value, label }))}
          />
        }
      />
      {/* Until it is known whether the first steps stand above, nothing is shown that they would push down. */}
      <div className={onboarding === undefined ? classes.unknown : undefined}>
        {onboarding && <OnboardingPanel {...onboarding} />}
        <RevenuePanel
          period={period}
          currency={currency}
          onCurrency={(chosen) => change({ currency: chosen })}
        />
        <div className={classes.columns}>
          <WaitingPanel />
          <ClientPanel />
          <SalesPanel />
        </div>
        <div className={classes.latest}>
          <LatestOrders />
          <LatestEvents />
        </div>
      </div>
    </>
  );
}

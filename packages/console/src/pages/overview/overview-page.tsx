import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Later } from '../../components/later.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SegmentedChoice } from '../../components/segmented-choice.tsx';
import { texts } from '../../texts/overview.ts';
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
  const navigate = useNavigate();
  const change = (changed: OverviewSearch) =>
    void navigate({ to: '/', search: { ...search, ...changed }, replace: true });
  return (
    <>
      <PageHeader
        title={texts.overview}
        description={texts.everythingOfPrimaryDigitalKey}
        actions={
          <SegmentedChoice
            label={texts.period}
            value={period}
            onChange={(value) => change({ period: value })}
            options={Object.entries(periods).map(([value, { label }]) => ({ value: value as Period, label }))}
          />
        }
      />
      <BelowFirstSteps>
        <Later>
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
        </Later>
      </BelowFirstSteps>
    </>
  );
}

/** The first steps and the page below. Until it is known whether there are any, nothing is shown that they would push down. */
function BelowFirstSteps({ children }: { readonly children: ReactNode }) {
  const onboarding = useOnboarding();
  return (
    <div className={onboarding === undefined ? classes.unknown : undefined}>
      {onboarding && <OnboardingPanel {...onboarding} />}
      {children}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { texts } from '../../texts/overview.ts';
import { dashboardSummary } from './dashboard-queries.ts';
import { ShareList } from './share-list.tsx';

/** Sales by stage. */
export function SalesPanel() {
  const { data, error } = useQuery(dashboardSummary);
  const stages = data?.sales.stages;
  return (
    <Panel title={texts.sales}>
      {error && !data ? (
        <ErrorNotice title={texts.salesCouldNotBeCounted} error={error} />
      ) : stages ? (
        <ShareList
          shares={[
            { label: texts.leads, count: stages.LEADS, tone: 'info', to: '/sales' },
            { label: texts.ongoing, count: stages.ONGOING, tone: 'warn', to: '/sales' },
            { label: texts.closed, count: stages.CLOSED, tone: 'good', to: '/sales' },
          ]}
        />
      ) : (
        <Skeleton height={128} />
      )}
    </Panel>
  );
}

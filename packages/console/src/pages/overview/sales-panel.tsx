import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { dashboardSummary } from './dashboard-queries.ts';
import { ShareList } from './share-list.tsx';

/** Sales by stage. */
export function SalesPanel() {
  const { data, error } = useQuery(dashboardSummary);
  const stages = data?.sales.stages;
  return (
    <Panel title="Sales">
      {error && !data ? (
        <ErrorNotice title="The sales could not be counted" error={error} />
      ) : stages ? (
        <ShareList
          shares={[
            { label: 'Leads', count: stages.LEADS, tone: 'info', to: '/sales' },
            { label: 'Ongoing', count: stages.ONGOING, tone: 'warn', to: '/sales' },
            { label: 'Closed', count: stages.CLOSED, tone: 'good', to: '/sales' },
          ]}
        />
      ) : (
        <Skeleton height={128} />
      )}
    </Panel>
  );
}

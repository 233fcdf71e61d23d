import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { approvalNames } from '../../format/state-names.ts';
import { texts } from '../../texts/overview.ts';
import { dashboardSummary } from './dashboard-queries.ts';
import { ShareList } from './share-list.tsx';

/** Clients by approval. */
export function ClientPanel() {
  const { data, error } = useQuery(dashboardSummary);
  const counts = data?.clients.adminApproval;
  const row = (approval: keyof typeof approvalNames, tone: 'good' | 'warn' | 'bad') => ({
    label: approvalNames[approval],
    count: counts?.[approval] ?? 0,
    tone,
    to: '/clients',
    search: { adminApproval: approval },
  });
  return (
    <Panel title={texts.clients}>
      {error && !data ? (
        <ErrorNotice title={texts.clientsCouldNotBeCounted} error={error} />
      ) : counts ? (
        <ShareList shares={[row('VERIFIED', 'good'), row('PENDING', 'warn'), row('REJECTED', 'bad')]} />
      ) : (
        <Skeleton height={128} />
      )}
    </Panel>
  );
}

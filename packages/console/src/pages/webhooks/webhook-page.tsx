import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { BackLink } from '../../components/back-link.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { ResourceError } from '../../components/resource-error.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/webhooks.ts';
import { DeliveryPanel } from './delivery-panel.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import classes from './webhook-page.module.css';
import { WebhookState } from './webhook-table.tsx';

/** One webhook and its deliveries. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: '/shell/webhooks/$webhookId' });
  const {
    data: webhook,
    error,
    refetch,
  } = useQuery({
    queryKey: ['webhooks', 'one', webhookId],
    queryFn: ({ signal }) => getKeyfront().webhooks.get(webhookId, { signal }),
  });
  if (error && !webhook) {
    return (
      <>
        <BackLink to="/webhooks">{texts.webhooks}</BackLink>
        <ResourceError noun="webhook" id={webhookId} error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  if (!webhook) return <Skeleton height={420} />;
  return (
    <>
      <BackLink to="/webhooks">{texts.webhooks}</BackLink>
      <PageHeader
        title={webhook.url}
        description={<WebhookState webhook={webhook} />}
        actions={<WebhookActions webhook={webhook} />}
      />
      <div className={classes.sections}>
        <Panel title={texts.settings}>
          <FactList
            facts={{
              Events: webhook.eventTypes.join(', '),
              Description: webhook.description,
              Added: <Moment time={webhook.createdAt} />,
              'Failing since': webhook.failingSince && <Moment time={webhook.failingSince} />,
            }}
          />
        </Panel>
        <DeliveryPanel webhook={webhook} />
      </div>
    </>
  );
}

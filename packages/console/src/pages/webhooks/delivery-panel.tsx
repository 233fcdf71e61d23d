import type { WebhookDelivery } from '@keyfront/sdk';
import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Moment } from '../../components/moment.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { getKeyfront } from '../../session/keyfront.ts';

/** A delivery takes moments, and nothing tells the page when it is done. */
const refreshMs = 3_000;

/** The newest deliveries of a webhook, with their outcome. */
export function DeliveryPanel({ webhookId }: { readonly webhookId: string }) {
  const { data, error } = useQuery({
    queryKey: ['webhooks', 'deliveries', webhookId],
    queryFn: ({ signal }) => getKeyfront().webhooks.listDeliveries(webhookId, { take: 50 }, { signal }),
    refetchInterval: refreshMs,
  });
  // What was loaded before stays on the screen while the connection is lost.
  const hasFailed = error !== null && !data;
  const columns: readonly Column<WebhookDelivery>[] = [
    { title: 'Event', render: ({ eventType }) => eventType },
    { title: 'State', render: ({ status }) => <StatusBadge state={status} /> },
    { title: 'Response', render: ({ responseStatus }) => responseStatus ?? '–', hiddenBelow: 'narrow' },
    { title: 'Attempts', render: ({ attempts }) => attempts, align: 'end', hiddenBelow: 'narrow' },
    {
      title: 'Last attempt',
      render: ({ attemptedAt }) => (attemptedAt ? <Moment time={attemptedAt} isRelative /> : '–'),
      hiddenBelow: 'medium',
    },
    {
      title: 'Next attempt',
      render: ({ nextAttemptAt }) => (nextAttemptAt ? <Moment time={nextAttemptAt} isRelative /> : '–'),
      hiddenBelow: 'medium',
    },
    { title: 'Actions', align: 'end', render: (delivery) => <RetryButton delivery={delivery} /> },
  ];
  return (
    <Panel title="Deliveries" isFlush={!hasFailed && data?.deliveries.length !== 0}>
      {hasFailed && <ErrorNotice title="The deliveries could not be loaded" error={error} />}
      {data?.deliveries.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing was sent yet. Send a test, or wait for an event.
        </Text>
      )}
      {!hasFailed && data?.deliveries.length !== 0 && (
        <DataTable
          caption="Deliveries"
          columns={columns}
          rows={data?.deliveries}
          keyOf={({ id }) => id}
          skeletonRows={4}
        />
      )}
    </Panel>
  );
}

function RetryButton({ delivery }: { readonly delivery: WebhookDelivery }) {
  const queryClient = useQueryClient();
  const retry = useSingleMutation({
    mutationFn: () => getKeyfront().webhooks.retryDelivery(delivery.webhookId, delivery.id),
    onError: (error) => showFailure('The delivery was not repeated', error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['webhooks', 'deliveries'] }),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={retry.isPending}
      aria-label={`Send again: ${delivery.eventType}`}
      onClick={() => retry.mutate()}
    >
      Send again
    </Button>
  );
}

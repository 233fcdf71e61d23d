import type { Webhook, WebhookDelivery } from '@keyfront/sdk';
import { Anchor, NativeSelect, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Moment } from '../../components/moment.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/webhooks.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { deliveryStates, readDeliveryFilters } from './delivery-filters.ts';
import classes from './delivery-panel.module.css';
import { formatDuration } from './format-duration.ts';
import { RetryButton } from './retry-button.tsx';

/** A delivery takes moments, and nothing tells the page when it is done. */
const refreshMs = 3_000;
const pageSize = 30;

/** The deliveries of a webhook with their outcome, newest first. */
export function DeliveryPanel({ webhook }: { readonly webhook: Webhook }) {
  const webhookId = webhook.id;
  const { status } = useSearch({ from: '/shell/webhooks/$webhookId' });
  const navigate = useNavigate();
  const [opened, setOpened] = useState<WebhookDelivery | null>(null);
  const query = useInfiniteQuery({
    queryKey: ['webhooks', 'deliveries', webhookId, status],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().webhooks.listDeliveries(
        webhookId,
        { take: pageSize, ...(status ? { status } : {}), ...(pageParam ? { before: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ deliveries, hasMore }) => (hasMore ? deliveries.at(-1)?.id : null),
    placeholderData: keepPreviousData,
    // Each page that was loaded is loaded again.
    refetchInterval: ({ state }) => refreshMs * (state.data?.pages.length ?? 1),
  });
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries);
  // What was loaded before stays on the screen while the connection is lost.
  const hasFailed = query.error !== null && !deliveries;
  const isEmpty = deliveries?.length === 0;
  const columns: readonly Column<WebhookDelivery>[] = [
    {
      title: texts.event,
      render: (delivery) => (
        <Anchor component="button" type="button" size="sm" fw={600} onClick={() => setOpened(delivery)}>
          {delivery.eventType}
        </Anchor>
      ),
    },
    { title: texts.state, render: (delivery) => <StatusBadge state={delivery.status} /> },
    {
      title: texts.response,
      render: ({ responseStatus, failure }) =>
        responseStatus ?? (failure ? <span className={classes.failure}>{failure}</span> : '–'),
      hiddenBelow: 'narrow',
    },
    {
      title: texts.duration,
      render: ({ durationMs }) => (durationMs === null ? '–' : formatDuration(durationMs)),
      align: 'end',
      hiddenBelow: 'narrow',
    },
    {
      title: texts.lastAttempt,
      render: ({ attemptedAt }) => (attemptedAt ? <Moment time={attemptedAt} isRelative /> : '–'),
      hiddenBelow: 'medium',
    },
    {
      title: texts.actions,
      align: 'end',
      render: (delivery) => webhook.isEnabled && <RetryButton delivery={delivery} />,
    },
  ];
  return (
    <>
      <Panel
        title={texts.deliveries}
        isFlush={!hasFailed && !isEmpty}
        aside={
          <NativeSelect
            aria-label={texts.whichDeliveries}
            size="xs"
            value={status ?? ''}
            onChange={({ currentTarget }) =>
              void navigate({
                to: '/webhooks/$webhookId',
                params: { webhookId },
                search: readDeliveryFilters({ status: currentTarget.value }),
                replace: true,
              })
            }
            data={[
              { value: '', label: texts.all },
              ...Object.entries(deliveryStates).map(([value, label]) => ({ value, label })),
            ]}
          />
        }
      >
        {hasFailed && query.error && (
          <ErrorNotice title={texts.deliveriesCouldNotBeLoaded} error={query.error} />
        )}
        {isEmpty && (
          <Text size="sm" c="dimmed">
            {status
              ? texts.noDeliveryIsStatus(deliveryStates[status].toLowerCase())
              : texts.nothingWasSentYetSendTest}
          </Text>
        )}
        {!hasFailed && !isEmpty && (
          <DataTable
            caption={texts.deliveries}
            columns={columns}
            rows={deliveries}
            keyOf={({ id }) => id}
            skeletonRows={4}
          />
        )}
      </Panel>
      <LoadMore query={query} />
      {opened && (
        <DeliveryDrawer
          delivery={deliveries?.find(({ id }) => id === opened.id) ?? opened}
          isEnabled={webhook.isEnabled}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

import type { OrderDetails, OrderHistoryEntry } from '@keyfront/sdk';
import { Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Moment } from '../../components/moment.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/orders.ts';
import { describeChanges, firstStates } from './describe-changes.ts';

/** What has happened to an order of the holder. */
export function OrderTimeline({ order }: { readonly order: OrderDetails }) {
  const { data, error } = useQuery({
    queryKey: ['orders', 'history', order.id],
    queryFn: ({ signal }) => getKeyfront().orders.history(order.id, { signal }),
  });
  if (error && !data) return <ErrorNotice title={texts.historyCouldNotBeLoaded} error={error} />;
  if (!data) return <Skeleton height={160} />;
  return <HistoryTimeline history={data.history} placedAt={order.createdAt} holder={texts.you} />;
}

interface HistoryTimelineProps {
  readonly history: readonly OrderHistoryEntry[];
  readonly placedAt: string;
  /** What the reader calls the holder. */
  readonly holder: string;
}

/** The states of an order, newest first. */
export function HistoryTimeline({ history, placedAt, holder }: HistoryTimelineProps) {
  const authors: Record<OrderHistoryEntry['author'], string> = {
    HOLDER: texts.byHolder(holder),
    ADMINISTRATOR: texts.byAdministrator,
    SERVICE: texts.byService,
  };
  const steps = history
    .map((entry, index) => ({
      entry,
      changes: describeChanges(history[index - 1] ?? firstStates, entry),
    }))
    .filter(({ changes }) => changes.length > 0)
    .reverse();
  return (
    <Timeline bulletSize={14} lineWidth={2} active={steps.length + 1}>
      {steps.map(({ entry, changes }) => (
        <Timeline.Item key={entry.changedAt + changes.join()} title={changes.join(', ')}>
          <Text size="xs" c="dimmed">
            <Moment time={entry.changedAt} /> {authors[entry.author]}
          </Text>
        </Timeline.Item>
      ))}
      <Timeline.Item title={texts.placed}>
        <Text size="xs" c="dimmed">
          <Moment time={placedAt} />
        </Text>
      </Timeline.Item>
    </Timeline>
  );
}

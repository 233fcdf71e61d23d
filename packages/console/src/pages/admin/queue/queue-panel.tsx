import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { LoadMore, type PagedQuery } from '../../../components/load-more.tsx';
import { Panel } from '../../../components/panel.tsx';
import { texts } from '../../../texts/admin-queue.ts';
import { DecisionQueue } from './decision-queue.tsx';
import { LoadingRows } from './loading-rows.tsx';
import type { Approval, QueueKind, QueueRow } from './queue-kind.ts';
import { RefusalNotice, type RefusedRow } from './refusal-notice.tsx';
import type { LoadPage } from './use-queue.ts';

interface QueuePanelProps<Row extends QueueRow, Details> {
  readonly kind: QueueKind<Row, Details>;
  readonly queue: {
    readonly query: PagedQuery & {
      readonly error: Error | null;
      /** Whether the rows are those of the filters before. */
      readonly isPlaceholderData: boolean;
      refetch(): unknown;
    };
    /** Undefined while they are loaded. */
    readonly rows: readonly Row[] | undefined;
    readonly count: number | undefined;
  };
  readonly queryKey: QueryKey;
  readonly load: LoadPage<Row>;
  readonly listedApproval: Approval | undefined;
  /** Whether only what waits for a decision is shown. */
  readonly isQueue: boolean;
  readonly clearFilters: ReactNode;
}

/** A queue, or what takes its place while it is loaded, empty or failed. */
export function QueuePanel<Row extends QueueRow, Details extends { readonly id: string }>({
  kind,
  queue: { query, rows, count = 0 },
  isQueue,
  clearFilters,
  ...rest
}: QueuePanelProps<Row, Details>) {
  // Here, because the queue itself is gone as soon as nothing is left in it.
  const [refused, setRefused] = useState<readonly RefusedRow[]>([]);
  const [isPeeking, setPeeking] = useState(false);
  const { noun, icon } = kind;
  if (query.error && !rows) {
    return (
      <ErrorNotice
        title={texts.rowsNotLoaded(noun)}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <>
      {refused.length > 0 && <RefusalNotice noun={noun} refused={refused} onClose={() => setRefused([])} />}
      {!rows && (
        <Panel isFlush>
          <LoadingRows />
        </Panel>
      )}
      {rows && count === 0 && (
        <Panel isFlush>
          {isQueue ? (
            <EmptyState icon={icon} title={texts.noNounWaitsForApproval(noun)}>
              {texts.emptyQueueHint}
            </EmptyState>
          ) : (
            <EmptyState icon={icon} title={texts.noNounMatches(noun)} action={clearFilters}>
              {texts.changeOrClearFiltersToSee(noun)}
            </EmptyState>
          )}
        </Panel>
      )}
      {rows && count > 0 && (
        <DecisionQueue
          // Other filters begin with the first of their own rows, and with nothing marked.
          key={JSON.stringify([rest.queryKey, query.isPlaceholderData])}
          {...rest}
          kind={kind}
          rows={rows}
          count={count}
          isPeeking={isPeeking}
          onPeek={setPeeking}
          onRefused={setRefused}
        />
      )}
      <LoadMore query={query} />
    </>
  );
}

import type { DecisionResults, Decisions } from '@keyfront/sdk';
import { Button, Skeleton, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import type { IconName } from '../../../components/icon.tsx';
import { Panel } from '../../../components/panel.tsx';
import type { Decision } from './decision.ts';
import { DecisionQueue } from './decision-queue.tsx';
import { RefusalNotice, type RefusedRow } from './refusal-notice.tsx';

interface QueuePanelProps<Row> {
  readonly query: { readonly error: Error | null; refetch(): unknown };
  /** Undefined while they are loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly noun: string;
  /** Whether only what waits for a decision is shown. */
  readonly isQueue: boolean;
  readonly onClearFilters: () => void;
  readonly icon: IconName;
  readonly keyOf: (row: Row) => string;
  readonly labelOf: (row: Row) => string;
  readonly render: (row: Row) => ReactNode;
  readonly canDecide: (row: Row, decision: Decision['adminApproval']) => boolean;
  readonly decide: (decisions: Decisions) => Promise<DecisionResults>;
  readonly rejectionEffect: string;
  /** Who reads the note of a rejection, as a sentence. */
  readonly noteReaders: string;
}

/** A queue, or what takes its place while it is loaded, empty or failed. */
export function QueuePanel<Row>({
  query,
  rows,
  noun,
  icon,
  isQueue,
  onClearFilters,
  ...queue
}: QueuePanelProps<Row>) {
  // Here, because the queue itself is gone as soon as nothing is left in it.
  const [refused, setRefused] = useState<readonly RefusedRow[]>([]);
  if (query.error && !rows) {
    return (
      <ErrorNotice
        title={`The ${noun}s could not be loaded`}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <>
      {refused.length > 0 && <RefusalNotice noun={noun} refused={refused} onClose={() => setRefused([])} />}
      <Panel isFlush>
        {!rows && (
          <Stack p="md">
            {[1, 2, 3, 4, 5, 6].map((key) => (
              <Skeleton key={key} height={48} />
            ))}
          </Stack>
        )}
        {rows?.length === 0 && isQueue && (
          <EmptyState icon={icon} title={`No ${noun} waits for approval`}>
            All are decided. New ones appear here by themselves.
          </EmptyState>
        )}
        {rows?.length === 0 && !isQueue && (
          <EmptyState
            icon={icon}
            title={`No ${noun} matches`}
            action={
              <Button variant="default" onClick={onClearFilters}>
                Clear filters
              </Button>
            }
          >
            Change or clear the filters to see other {noun}s.
          </EmptyState>
        )}
        {rows && rows.length > 0 && (
          <DecisionQueue {...queue} rows={rows} noun={noun} queryKey={['admin']} onRefused={setRefused} />
        )}
      </Panel>
    </>
  );
}

import { Button, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import type { IconName } from '../../../components/icon.tsx';
import { Panel } from '../../../components/panel.tsx';
import type { Decision } from './decision.ts';
import { DecisionQueue } from './decision-queue.tsx';

interface QueuePanelProps<Row> {
  readonly query: { readonly error: Error | null; refetch(): unknown };
  /** Undefined while they are loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly noun: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly onClearFilters: () => void;
  readonly icon: IconName;
  readonly keyOf: (row: Row) => string;
  readonly labelOf: (row: Row) => string;
  readonly render: (row: Row) => ReactNode;
  readonly canDecide: (row: Row, decision: Decision['adminApproval']) => boolean;
  readonly decide: (row: Row, decision: Decision) => Promise<unknown>;
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
  filters,
  onClearFilters,
  ...queue
}: QueuePanelProps<Row>) {
  const isQueue = filters.adminApproval === 'PENDING' && Object.keys(filters).length === 1;
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
      {rows && rows.length > 0 && <DecisionQueue {...queue} rows={rows} noun={noun} queryKey={['admin']} />}
    </Panel>
  );
}

import { ActionIcon, Anchor, Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type MouseEvent, useEffect } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { texts } from '../../../texts/admin-queue.ts';
import classes from './peek-panel.module.css';
import type { QueueKind, QueueRow } from './queue-kind.ts';

interface PeekPanelProps<Row extends QueueRow, Details> {
  readonly kind: QueueKind<Row, Details>;
  readonly row: Row;
  /** The row that comes next. Its details are loaded ahead. */
  readonly nextKey: string | undefined;
  readonly isDeciding: boolean;
  readonly onMove: (step: -1 | 1) => void;
  readonly onApprove: (event: MouseEvent) => void;
  readonly onReject: (event: MouseEvent) => void;
  readonly onClose: () => void;
}

/** Somebody who holds a key passes rows whose details nobody reads. */
const settledMs = 150;
const refreshMs = 10_000;

/** Everything that a decision about the current row needs, beside the rows. */
export function PeekPanel<Row extends QueueRow, Details extends { readonly id: string }>({
  kind,
  row,
  nextKey,
  isDeciding,
  onMove,
  onApprove,
  onReject,
  onClose,
}: PeekPanelProps<Row, Details>) {
  const queryClient = useQueryClient();
  const [shownKey] = useDebouncedValue(row.id, settledMs, { leading: true });
  const {
    data: details,
    error,
    refetch,
  } = useQuery({ ...kind.details(shownKey), refetchInterval: refreshMs });
  const isShown = details?.id === row.id;
  useEffect(() => {
    if (isShown && nextKey !== undefined) void queryClient.prefetchQuery(kind.details(nextKey));
  }, [queryClient, kind, isShown, nextKey]);
  const label = kind.labelOf(row);
  const canApprove = kind.canDecide(row, 'VERIFIED');
  const canReject = kind.canDecide(row, 'REJECTED') && (!isShown || kind.isRejectable(details));
  return (
    <section className={classes.panel} aria-label={label}>
      <div className={classes.head}>
        <Anchor component={Link} to={kind.pathOf(row)} fw={650} className={classes.title ?? ''}>
          <bdi>{label}</bdi>
        </Anchor>
        <ActionIcon variant="default" aria-label={texts.previousRow} onClick={() => onMove(-1)}>
          <span className={classes.up}>
            <Icon name="back" size={14} />
          </span>
        </ActionIcon>
        <ActionIcon variant="default" aria-label={texts.nextRow} onClick={() => onMove(1)}>
          <span className={classes.up}>
            <Icon name="next" size={14} />
          </span>
        </ActionIcon>
        <ActionIcon variant="default" aria-label={texts.closePanel} onClick={onClose}>
          <Icon name="close" size={14} />
        </ActionIcon>
      </div>
      {(canApprove || canReject) && (
        <div className={classes.actions}>
          {canApprove && (
            <Button size="xs" disabled={isDeciding} onClick={onApprove}>
              {texts.approveLabel(label)}
            </Button>
          )}
          {canReject && (
            <Button size="xs" variant="default" disabled={isDeciding} onClick={onReject}>
              {texts.rejectLabel(label)}
            </Button>
          )}
        </div>
      )}
      {error && !isShown && shownKey === row.id && (
        <ErrorNotice
          title={texts.nounCouldNotBeLoaded(kind.noun)}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {isShown && <kind.Peek details={details} />}
      {!isShown && !error && <Skeleton height={320} />}
    </section>
  );
}

import { Button, Checkbox, Group, Kbd, Progress, Text } from '@mantine/core';
import type { MouseEvent } from 'react';
import { countOf } from '../../../format/count-of.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { texts } from '../../../texts/admin-queue.ts';
import classes from './queue-bar.module.css';

interface QueueBarProps {
  readonly noun: string;
  readonly loaded: number;
  /** How many match, with those that are not loaded. */
  readonly count: number;
  readonly marked: number;
  readonly toApprove: number;
  readonly toReject: number;
  /** What is under way. */
  readonly work: {
    readonly label: string;
    readonly done: number;
    readonly total: number;
    /** Whether somebody has stopped it already. */
    readonly isStopping: boolean;
    readonly onStop: () => void;
  } | null;
  readonly onMarkLoaded: (isMarked: boolean) => void;
  readonly onMarkAll: () => void;
  readonly onApprove: (event: MouseEvent) => void;
  readonly onReject: (event: MouseEvent) => void;
}

/** What is marked and what can be done about it. It stays on the screen while the rows scroll below it. */
export function QueueBar({
  noun,
  loaded,
  count,
  marked,
  toApprove,
  toReject,
  work,
  onMarkLoaded,
  onMarkAll,
  onApprove,
  onReject,
}: QueueBarProps) {
  const amount = (rows: number) => (marked > 1 && rows > 0 ? ` ${formatNumber(rows)}` : '');
  return (
    <div className={classes.bar}>
      <Group gap="sm">
        <Checkbox
          label={marked === 0 ? texts.markAll : texts.markedCount(formatNumber(marked))}
          checked={marked > 0 && marked >= loaded}
          indeterminate={marked > 0 && marked < loaded}
          disabled={work !== null}
          onChange={({ currentTarget }) => onMarkLoaded(currentTarget.checked)}
        />
        {marked >= loaded && marked < count && !work && (
          <Button variant="subtle" size="compact-sm" onClick={onMarkAll}>
            {texts.markAllCountThatMatch(formatNumber(count))}
          </Button>
        )}
      </Group>
      {work ? (
        <div className={classes.work}>
          <Text size="sm" role="status" className="tabular">
            {texts.labelDoneOfTotal(work.label, formatNumber(work.done), countOf(work.total, noun))}
          </Text>
          <Progress
            aria-label={work.label}
            value={(100 * work.done) / Math.max(1, work.total)}
            transitionDuration={0}
            className={classes.progress ?? ''}
          />
          {/* Not disabled, which would take the focus away. */}
          <Button size="xs" variant="default" aria-disabled={work.isStopping} onClick={work.onStop}>
            {work.isStopping ? texts.stopping : texts.stop}
          </Button>
        </div>
      ) : (
        <Group gap="sm">
          <Text size="xs" c="dimmed" className={classes.keys ?? ''}>
            <Kbd>j</Kbd> <Kbd>k</Kbd>
            {texts.move}
            <Kbd>space</Kbd>
            {texts.look}
            <Kbd>x</Kbd>
            {texts.mark}
            <Kbd>a</Kbd>
            {texts.approvePart}
            <Kbd>r</Kbd>
            {texts.rejectPart}
          </Text>
          <Button size="xs" disabled={toApprove === 0} onClick={onApprove}>
            {texts.approveButton(amount(toApprove))}
          </Button>
          <Button size="xs" variant="default" disabled={toReject === 0} onClick={onReject}>
            {texts.rejectButton(amount(toReject))}
          </Button>
        </Group>
      )}
    </div>
  );
}

import { Button, Checkbox, Group, Kbd, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { showFailure, showSuccess } from '../../../components/toasts.tsx';
import { type Decision, decideAll } from './decision.ts';
import classes from './decision-queue.module.css';
import { RejectModal } from './reject-modal.tsx';
import { useQueueKeys } from './use-queue-keys.ts';

interface DecisionQueueProps<Row> {
  /** What a row is, such as `order`. */
  readonly noun: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly labelOf: (row: Row) => string;
  readonly render: (row: Row) => ReactNode;
  readonly decide: (row: Row, decision: Decision) => Promise<unknown>;
  /** What is loaded again after a decision. */
  readonly queryKey: readonly string[];
}

/** Rows to decide about, one by one or several at once, by mouse or by keyboard. */
export function DecisionQueue<Row>({
  noun,
  rows,
  keyOf,
  labelOf,
  render,
  decide,
  queryKey,
}: DecisionQueueProps<Row>) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [position, setPosition] = useState(0);
  const [isRejecting, setIsRejecting] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const queryClient = useQueryClient();
  const place = Math.min(position, rows.length - 1);
  const chosen = rows.filter((row) => marked.has(keyOf(row)));
  const current = rows[place];
  const subjects = chosen.length > 0 ? chosen : current ? [current] : [];
  const subject = subjects.length === 1 && subjects[0] ? labelOf(subjects[0]) : `${subjects.length} ${noun}s`;

  const decision = useMutation({
    mutationFn: (made: Decision) => decideAll(subjects, (row) => decide(row, made)),
    onSuccess: (_nothing, { adminApproval }) =>
      showSuccess(`${subject} ${adminApproval === 'VERIFIED' ? 'approved' : 'rejected'}`),
    onError: (error) => showFailure(`${subject} not decided`, error),
    onSettled: () => {
      setMarked(new Set());
      return queryClient.invalidateQueries({ queryKey });
    },
  });
  const toggle = (row: Row | undefined) => {
    if (!row) return;
    const next = new Set(marked);
    if (!next.delete(keyOf(row))) next.add(keyOf(row));
    setMarked(next);
  };
  const approve = () => {
    if (subjects.length > 0 && !decision.isPending) decision.mutate({ adminApproval: 'VERIFIED' });
  };
  const reject = (rejectionNote: string) => {
    setIsRejecting(false);
    decision.mutate({ adminApproval: 'REJECTED', ...(rejectionNote ? { rejectionNote } : {}) });
  };
  useQueueKeys({
    count: rows.length,
    position: place,
    onMove: setPosition,
    onToggle: () => toggle(current),
    onApprove: approve,
    onReject: () => subjects.length > 0 && setIsRejecting(true),
  });
  useEffect(() => {
    list.current?.children[place]?.scrollIntoView({ block: 'nearest' });
  }, [place]);

  return (
    <>
      <div className={classes.bar}>
        <Checkbox
          label={chosen.length === 0 ? 'Mark all' : `${chosen.length} marked`}
          checked={chosen.length > 0 && chosen.length === rows.length}
          indeterminate={chosen.length > 0 && chosen.length < rows.length}
          onChange={({ currentTarget }) => setMarked(new Set(currentTarget.checked ? rows.map(keyOf) : []))}
        />
        <Group gap="sm">
          <Text size="xs" c="dimmed" visibleFrom="md">
            <Kbd>j</Kbd> <Kbd>k</Kbd> move · <Kbd>x</Kbd> mark · <Kbd>a</Kbd> approve · <Kbd>r</Kbd> reject
          </Text>
          <Button size="xs" loading={decision.isPending} onClick={approve}>
            Approve {chosen.length > 1 ? chosen.length : ''}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={decision.isPending}
            onClick={() => setIsRejecting(true)}
          >
            Reject {chosen.length > 1 ? chosen.length : ''}
          </Button>
        </Group>
      </div>
      <ul className={classes.list} ref={list}>
        {rows.map((row, index) => (
          <li
            key={keyOf(row)}
            className={classes.row}
            aria-current={index === place || undefined}
            onPointerDown={() => setPosition(index)}
          >
            <Checkbox
              aria-label={`Mark ${labelOf(row)}`}
              checked={marked.has(keyOf(row))}
              onChange={() => toggle(row)}
            />
            <div className={classes.content}>{render(row)}</div>
          </li>
        ))}
      </ul>
      {isRejecting && (
        <RejectModal subject={subject} onClose={() => setIsRejecting(false)} onReject={reject} />
      )}
    </>
  );
}

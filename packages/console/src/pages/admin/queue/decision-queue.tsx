import type { DecisionResults, Decisions } from '@keyfront/sdk';
import { Button, Checkbox, Group, Kbd, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { showFailure, showSuccess } from '../../../components/toasts.tsx';
import { useSingleMutation } from '../../../components/use-single-mutation.ts';
import { type CurrentRow, followRow, rowAt, stepFrom } from './current-row.ts';
import { type Decision, decideAll } from './decision.ts';
import classes from './decision-queue.module.css';
import type { RefusedRow } from './refusal-notice.tsx';
import { RejectModal } from './reject-modal.tsx';
import { useQueueKeys } from './use-queue-keys.ts';

interface DecisionQueueProps<Row> {
  /** What a row is, such as `order`. */
  readonly noun: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly labelOf: (row: Row) => string;
  readonly render: (row: Row) => ReactNode;
  /** Whether the service allows this decision, and it changes the row. */
  readonly canDecide: (row: Row, decision: Decision['adminApproval']) => boolean;
  readonly decide: (decisions: Decisions) => Promise<DecisionResults>;
  /** Told after each decision what was refused, which may be nothing. */
  readonly onRefused: (refused: readonly RefusedRow[]) => void;
  /** What a rejection does, for the person who is about to reject. */
  readonly rejectionEffect: string;
  /** Who reads the note of a rejection, as a sentence. */
  readonly noteReaders: string;
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
  canDecide,
  decide,
  onRefused,
  rejectionEffect,
  noteReaders,
  queryKey,
}: DecisionQueueProps<Row>) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<CurrentRow>(() => rowAt(rows.map(keyOf), 0));
  const [decidedKeys, setDecidedKeys] = useState<ReadonlySet<string>>(new Set());
  // Those of the moment at which the dialog was opened, whatever the queue shows meanwhile.
  const [toReject, setToReject] = useState<readonly Row[] | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const queryClient = useQueryClient();
  const keys = rows.map(keyOf);
  const followed = followRow(current, keys, decidedKeys);
  if (followed !== current) setCurrent(followed);
  const { key: currentKey, place } = followed;
  const chosen = rows.filter((row) => marked.has(keyOf(row)));
  const subjects = chosen.length > 0 ? chosen : rows.filter((row) => keyOf(row) === currentKey);

  const nameOf = (decided: readonly Row[]) =>
    decided.length === 1 && decided[0] ? labelOf(decided[0]) : `${decided.length} ${noun}s`;
  const decision = useSingleMutation({
    mutationFn: ({ decided, made }: { decided: readonly Row[]; made: Decision }) =>
      decideAll(decided.map(keyOf), made, decide),
    onMutate: ({ decided }) => setDecidedKeys(new Set(decided.map(keyOf))),
    onSuccess: (refusals, { decided, made }) => {
      const reasons = new Map(refusals.map(({ id, reason }) => [id, reason]));
      const done = decided.filter((row) => !reasons.has(keyOf(row)));
      const word = made.adminApproval === 'VERIFIED' ? 'approved' : 'rejected';
      if (done.length > 0) showSuccess(`${nameOf(done)} ${word}`);
      onRefused(
        decided.flatMap((row) => {
          const reason = reasons.get(keyOf(row));
          return reason === undefined ? [] : [{ key: keyOf(row), label: labelOf(row), reason }];
        }),
      );
    },
    onError: (error, { decided }) => showFailure(`${nameOf(decided)} not decided`, error),
    onSettled: () => {
      setMarked(new Set());
      return queryClient.invalidateQueries({ queryKey });
    },
  });
  const toggle = (key: string | null) => {
    if (key === null) return;
    const next = new Set(marked);
    if (!next.delete(key)) next.add(key);
    setMarked(next);
  };
  const toApprove = subjects.filter((row) => canDecide(row, 'VERIFIED'));
  const rejectable = subjects.filter((row) => canDecide(row, 'REJECTED'));
  const approve = () => {
    if (toApprove.length > 0 && !decision.isPending) {
      decision.mutate({ decided: toApprove, made: { adminApproval: 'VERIFIED' } });
    }
  };
  const askToReject = () => {
    if (rejectable.length > 0 && !decision.isPending) setToReject(rejectable);
  };
  const reject = (decided: readonly Row[], note: string) => {
    setToReject(null);
    decision.mutate({
      decided,
      made: { adminApproval: 'REJECTED', ...(note ? { note } : {}) },
    });
  };
  useQueueKeys({
    onMove: (step) => setCurrent(stepFrom(followed, step, keys)),
    onToggle: () => toggle(currentKey),
    onApprove: approve,
    onReject: askToReject,
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
          onChange={({ currentTarget }) => setMarked(new Set(currentTarget.checked ? keys : []))}
        />
        <Group gap="sm">
          <Text size="xs" c="dimmed" visibleFrom="md">
            <Kbd>j</Kbd> <Kbd>k</Kbd> move · <Kbd>x</Kbd> mark · <Kbd>a</Kbd> approve · <Kbd>r</Kbd> reject
          </Text>
          <Button size="xs" loading={decision.isPending} disabled={toApprove.length === 0} onClick={approve}>
            Approve {chosen.length > 1 && toApprove.length > 0 ? toApprove.length : ''}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={rejectable.length === 0 || decision.isPending}
            onClick={askToReject}
          >
            Reject {chosen.length > 1 && rejectable.length > 0 ? rejectable.length : ''}
          </Button>
        </Group>
      </div>
      <ul className={classes.list} ref={list}>
        {rows.map((row, index) => (
          <li
            key={keyOf(row)}
            className={classes.row}
            aria-current={keyOf(row) === currentKey || undefined}
            onPointerDown={() => setCurrent(rowAt(keys, index))}
          >
            <Checkbox
              aria-label={`Mark ${labelOf(row)}`}
              checked={marked.has(keyOf(row))}
              onChange={() => toggle(keyOf(row))}
            />
            <div className={classes.content}>{render(row)}</div>
          </li>
        ))}
      </ul>
      {toReject && (
        <RejectModal
          subject={nameOf(toReject)}
          effect={rejectionEffect}
          noteReaders={noteReaders}
          onClose={() => setToReject(null)}
          onReject={(note) => reject(toReject, note)}
        />
      )}
    </>
  );
}

import { hashKey, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { showFailure, showSuccess, showUndo } from '../../../components/toasts.tsx';
import { countOf } from '../../../format/count-of.ts';
import { texts } from '../../../texts/admin-queue.ts';
import { type Decision, decideAll } from './decision.ts';
import type { Approval, QueueKind, QueueRow } from './queue-kind.ts';
import { type QueuePages, withoutRows } from './queue-pages.ts';
import type { RefusedRow } from './refusal-notice.tsx';

/** Decisions that are under way. */
export interface RunningDecisions {
  readonly approval: Approval;
  readonly total: number;
  readonly decided: number;
  /** Whether somebody has stopped it, and only the request that was sent before is waited for. */
  readonly isStopping: boolean;
}

interface Options<Row extends QueueRow, Details> {
  readonly kind: QueueKind<Row, Details>;
  readonly queryKey: QueryKey;
  /** The approval that all rows of the list have. Undefined if it has all kinds. */
  readonly listedApproval: Approval | undefined;
  /** Told at the end what was refused, which may be nothing, and what no request was sent for. */
  readonly onEnd: (refused: readonly RefusedRow[], unsent: readonly string[]) => void;
}

const words: Readonly<Record<Approval, string>> = {
  VERIFIED: 'approved',
  REJECTED: 'rejected',
  PENDING: texts.backInQueue,
};

/** Decides about rows, tells how far it is, and takes it back where the service does. */
export function useDecisions<Row extends QueueRow, Details>({
  kind,
  queryKey,
  listedApproval,
  onEnd,
}: Options<Row, Details>) {
  const queryClient = useQueryClient();
  const [running, setRunning] = useState<RunningDecisions | null>(null);
  const stopping = useRef<AbortController | null>(null);
  // Nobody would see how far it is, nor could they stop it.
  useEffect(() => () => stopping.current?.abort(), []);
  const nameOf = (rows: readonly Row[]) =>
    rows.length === 1 && rows[0] ? kind.labelOf(rows[0]) : countOf(rows.length, kind.noun);

  const decide = async (rows: readonly Row[], decision: Decision) => {
    // A second press of the key comes before the page is drawn again.
    if (stopping.current || rows.length === 0) return;
    const stop = new AbortController();
    stopping.current = stop;
    const approval = decision.adminApproval;
    const isLeaving = listedApproval !== undefined && listedApproval !== approval;
    setRunning({ approval, total: rows.length, decided: 0, isStopping: false });
    const outcome = await decideAll(
      rows.map(({ id }) => id),
      decision,
      kind.decide,
      {
        signal: stop.signal,
        onProgress: (done, decided) => {
          setRunning({ approval, total: rows.length, decided, isStopping: stop.signal.aborted });
          if (!isLeaving) return;
          queryClient.setQueryData<QueuePages<Row>>(
            queryKey,
            (data) => data && withoutRows(data, new Set(done), rows.length - decided),
          );
        },
      },
    );
    // The rows that are gone are all that has changed in the list.
    const isListUpToDate = isLeaving && outcome.refusals.length === 0 && !outcome.error;
    const end = () => {
      stopping.current = null;
      setRunning(null);
    };
    // A row that stays shows only after it is loaded again that it is decided. Until then, a second press would decide it again.
    const isStaying = !isLeaving && !outcome.error;
    if (!isStaying) end();
    const doneIds = new Set(outcome.done);
    const done = rows.filter(({ id }) => doneIds.has(id));
    const left = countOf(outcome.unsent.length, kind.noun);
    const isStopped = outcome.unsent.length > 0 && !outcome.error;
    if (done.length > 0) {
      const decided = `${nameOf(done)} ${words[approval]}`;
      const title = isStopped ? texts.stoppedAfter(decided, left) : decided;
      if (kind.isReversible) showUndo(title, () => void takeBack(done));
      else showSuccess(title);
    } else if (isStopped) {
      showSuccess(texts.stoppedBefore(left));
    }
    if (outcome.error) showFailure(texts.lengthNotDecided(left), outcome.error);
    const reasons = new Map(outcome.refusals.map(({ id, reason }) => [id, reason]));
    onEnd(
      rows.flatMap((row) => {
        const reason = reasons.get(row.id);
        return reason === undefined
          ? []
          : [{ key: row.id, label: kind.labelOf(row), path: kind.pathOf(row), reason }];
      }),
      outcome.unsent,
    );
    await queryClient.invalidateQueries({
      queryKey: ['admin'],
      predicate: (query) => !(isListUpToDate && query.queryHash === hashKey(queryKey)),
    });
    if (isStaying) end();
  };

  /** Gives the rows the approvals and notes that they had. */
  const takeBack = async (rows: readonly Row[]) => {
    const groups = new Map<string, { readonly decision: Decision; readonly ids: string[] }>();
    for (const { id, adminApproval, rejectionNote } of rows) {
      const decision = { adminApproval, ...(rejectionNote ? { note: rejectionNote } : {}) };
      const key = JSON.stringify(decision);
      const group = groups.get(key) ?? { decision, ids: [] };
      group.ids.push(id);
      groups.set(key, group);
    }
    for (const { decision, ids } of groups.values()) {
      const { refusals, unsent, error } = await decideAll(ids, decision, kind.decide);
      const failed = refusals.length + unsent.length;
      if (failed > 0) {
        const reason = error ?? new Error(refusals[0]?.reason);
        showFailure(texts.failedNotTakenBack(countOf(failed, kind.noun)), reason);
      }
    }
    await queryClient.invalidateQueries({ queryKey: ['admin'] });
  };

  const stop = () => {
    stopping.current?.abort();
    setRunning((before) => before && { ...before, isStopping: true });
  };

  return { running, decide, stop, nameOf };
}

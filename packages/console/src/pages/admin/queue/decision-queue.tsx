import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { findTitle } from '../../../components/find-heading.ts';
import { isFocusLost } from '../../../components/is-focus-lost.ts';
import { Panel } from '../../../components/panel.tsx';
import { showFailure } from '../../../components/toasts.tsx';
import { countOf } from '../../../format/count-of.ts';
import { texts } from '../../../texts/admin-queue.ts';
import { type CurrentRow, followRow, rowAt, stepFrom } from './current-row.ts';
import classes from './decision-queue.module.css';
import { LoadingRows } from './loading-rows.tsx';
import { PeekPanel } from './peek-panel.tsx';
import { QueueBar } from './queue-bar.tsx';
import type { Approval, QueueKind, QueueRow } from './queue-kind.ts';
import { QueueList } from './queue-list.tsx';
import type { RefusedRow } from './refusal-notice.tsx';
import { RejectModal } from './reject-modal.tsx';
import { useDecisions } from './use-decisions.ts';
import type { LoadPage } from './use-queue.ts';
import { useQueueKeys } from './use-queue-keys.ts';

interface DecisionQueueProps<Row extends QueueRow, Details> {
  readonly kind: QueueKind<Row, Details>;
  readonly rows: readonly Row[];
  /** How many match, with those that are not loaded. */
  readonly count: number;
  readonly queryKey: QueryKey;
  readonly load: LoadPage<Row>;
  /** The approval that all rows of the list have. Undefined if it has all kinds. */
  readonly listedApproval: Approval | undefined;
  readonly isPeeking: boolean;
  readonly onPeek: (isPeeking: boolean) => void;
  /** Told after each decision what was refused, which may be nothing. */
  readonly onRefused: (refused: readonly RefusedRow[]) => void;
}

/** What one request can list. */
const maxPageSize = 1_000;
/** Systems take two clicks within half a second for one double click. */
const doubleClickMs = 500;

/** Rows to decide about, one by one or many at once, by mouse or by keyboard, with a panel that shows what is decided. */
export function DecisionQueue<Row extends QueueRow, Details extends { readonly id: string }>({
  kind,
  rows,
  count,
  queryKey,
  load,
  listedApproval,
  isPeeking,
  onPeek,
  onRefused,
}: DecisionQueueProps<Row, Details>) {
  const keys = useMemo(() => rows.map(({ id }) => id), [rows]);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  /** Rows that match and are marked, although the list has not loaded them. */
  const [unlisted, setUnlisted] = useState<readonly Row[]>([]);
  const [collected, setCollected] = useState<number | null>(null);
  const collecting = useRef<AbortController | null>(null);
  const queryClient = useQueryClient();
  // Whoever comes back from the page of a row goes on from there.
  const rememberedKey = useMemo(() => ['admin-current', ...queryKey], [queryKey]);
  const [current, setCurrent] = useState<CurrentRow>(() =>
    rowAt(keys, keys.indexOf(queryClient.getQueryData<string>(rememberedKey) ?? '')),
  );
  const [decidedKeys, setDecidedKeys] = useState<ReadonlySet<string>>(new Set());
  // Those of the moment at which the dialog was opened, whatever the queue shows meanwhile.
  const [asked, setAsked] = useState<{
    readonly approval: 'VERIFIED' | 'REJECTED';
    readonly rows: readonly Row[];
  } | null>(null);
  const followed = followRow(current, keys, decidedKeys);
  if (followed !== current) setCurrent(followed);
  const { key: currentKey, place } = followed;
  const currentRow = rows[place]?.id === currentKey ? rows[place] : undefined;
  const chosen = useMemo(() => {
    const listed = new Set(keys);
    return [...rows, ...unlisted.filter(({ id }) => !listed.has(id))].filter(({ id }) => marked.has(id));
  }, [rows, keys, unlisted, marked]);
  const decidable = (approval: Approval) =>
    (chosen.length > 0 ? chosen : currentRow ? [currentRow] : []).filter((row) =>
      kind.canDecide(row, approval),
    );

  const decidedAt = useRef(Number.NEGATIVE_INFINITY);
  const { running, decide, stop, nameOf } = useDecisions({
    kind,
    queryKey,
    listedApproval,
    onEnd: (refused, unsent) => {
      decidedAt.current = performance.now();
      setMarked(new Set(unsent));
      onRefused(refused);
    },
  });
  const isBusy = running !== null || collected !== null;
  const hasWorked = useRef(false);
  const send = (decided: readonly Row[], approval: Approval, note = '') => {
    hasWorked.current = true;
    setDecidedKeys(new Set(decided.map(({ id }) => id)));
    void decide(decided, { adminApproval: approval, ...(note ? { note } : {}) });
  };
  const approve = (decided: readonly Row[]) => {
    if (decided.length === 0 || isBusy) return;
    // Nobody has seen rows that are not listed, and an order that is approved does not come back.
    if (decided.length > rows.length && !kind.isReversible) setAsked({ approval: 'VERIFIED', rows: decided });
    else send(decided, 'VERIFIED');
  };
  /**
   * The button of the next row comes under the pointer with the second half of a slow double click, which nobody means for that row.
   * Rows that are marked are meant.
   */
  const unlessDoubled = (event: MouseEvent, act: () => void, meant: readonly Row[] = []) => {
    const isByPointer = event.detail > 0;
    const isLate = event.timeStamp - decidedAt.current > doubleClickMs;
    if (!isByPointer || isLate || meant.length > 0) act();
  };
  const askToReject = (decided: readonly Row[]) => {
    if (decided.length > 0 && !isBusy) setAsked({ approval: 'REJECTED', rows: decided });
  };

  const toggle = useCallback((key: string) => {
    setMarked((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const choose = useCallback((key: string) => setCurrent({ key, place: keys.indexOf(key) }), [keys]);
  const open = useCallback(() => onPeek(true), [onPeek]);

  /** Marks everything that matches now. What comes later is not marked: somebody has to see that it came. */
  const markAll = async () => {
    const stopped = new AbortController();
    collecting.current = stopped;
    hasWorked.current = true;
    const found: Row[] = [];
    try {
      for (let after: string | null = ''; after !== null; ) {
        setCollected(found.length);
        const page = await load({ after, take: maxPageSize }, stopped.signal);
        found.push(...page.rows);
        after = page.next;
      }
      setUnlisted(found);
      setMarked(new Set(found.map(({ id }) => id)));
    } catch (error) {
      if (!stopped.signal.aborted) showFailure(texts.rowsNotMarked(kind.noun), error as Error);
    } finally {
      setCollected(null);
    }
  };
  useEffect(
    () => () => {
      collecting.current?.abort();
      // The queue is gone with its last row. Whoever pressed keys without the focus anywhere goes on from the title.
      if (hasWorked.current && isFocusLost()) findTitle()?.focus({ preventScroll: true });
    },
    [],
  );

  useEffect(() => {
    queryClient.setQueryData(rememberedKey, currentKey ?? '');
  }, [queryClient, rememberedKey, currentKey]);
  const isMovedByKey = useRef(false);
  const move = (step: -1 | 1) => {
    isMovedByKey.current = true;
    setCurrent(stepFrom(followed, step, keys));
  };
  useEffect(() => {
    // Whoever cannot see which row is current hears it. The row or the button that had the focus may be gone after a decision.
    const isLost = hasWorked.current && !isBusy && isFocusLost();
    if (isMovedByKey.current || isLost) focusRow(currentKey);
    isMovedByKey.current = false;
  }, [currentKey, isBusy]);
  const closePanel = () => {
    onPeek(false);
    if (document.activeElement?.closest('[data-peek]')) focusRow(currentKey);
  };
  useQueueKeys({
    onMove: move,
    onToggle: () => currentKey !== null && !isBusy && toggle(currentKey),
    onApprove: () => approve(decidable('VERIFIED')),
    onReject: () => askToReject(decidable('REJECTED')),
    onPeek: () => onPeek(!isPeeking),
    onClose: closePanel,
  });

  const work =
    collected !== null
      ? {
          label: texts.marking,
          done: collected,
          total: count,
          isStopping: false,
          onStop: () => collecting.current?.abort(),
        }
      : running && running.total > 1
        ? {
            label: running.approval === 'VERIFIED' ? texts.approving : texts.rejecting,
            done: running.decided,
            total: running.total,
            isStopping: running.isStopping,
            onStop: stop,
          }
        : null;
  return (
    <div className={classes.split} data-peeking={(isPeeking && currentRow !== undefined) || undefined}>
      <Panel isFlush>
        <QueueBar
          noun={kind.noun}
          loaded={rows.length}
          count={count}
          marked={chosen.length}
          toApprove={isBusy ? 0 : decidable('VERIFIED').length}
          toReject={isBusy ? 0 : decidable('REJECTED').length}
          work={work}
          onMarkLoaded={(isMarked) => setMarked(new Set(isMarked ? keys : []))}
          onMarkAll={() => void markAll()}
          onApprove={(event) => unlessDoubled(event, () => approve(decidable('VERIFIED')), chosen)}
          onReject={(event) => unlessDoubled(event, () => askToReject(decidable('REJECTED')), chosen)}
        />
        {/* All that was loaded may be decided before the next page is here. */}
        {rows.length === 0 && <LoadingRows />}
        <QueueList
          label={texts.several(kind.noun)}
          rows={rows}
          count={count}
          currentKey={currentKey}
          place={place}
          isMarked={(key) => marked.has(key)}
          labelOf={kind.labelOf}
          Summary={kind.Summary}
          onToggle={toggle}
          onChoose={choose}
          onOpen={open}
        />
      </Panel>
      {isPeeking && currentRow && (
        <div data-peek>
          <PeekPanel
            kind={kind}
            row={currentRow}
            nextKey={keys[place + 1]}
            isDeciding={isBusy}
            onMove={move}
            onApprove={(event) => unlessDoubled(event, () => approve([currentRow]))}
            onReject={(event) => unlessDoubled(event, () => askToReject([currentRow]))}
            onClose={closePanel}
          />
        </div>
      )}
      {asked?.approval === 'REJECTED' && (
        <RejectModal
          subject={nameOf(asked.rows)}
          effect={kind.rejectionEffect(asked.rows)}
          noteReaders={kind.noteReaders}
          onClose={() => setAsked(null)}
          onReject={(note) => {
            setAsked(null);
            send(asked.rows, 'REJECTED', note);
          }}
        />
      )}
      {asked?.approval === 'VERIFIED' && (
        <ConfirmModal
          title={texts.approveLength(countOf(asked.rows.length, kind.noun))}
          confirmLabel={texts.approveLengthButton(countOf(asked.rows.length, kind.noun))}
          onClose={() => setAsked(null)}
          onConfirm={() => send(asked.rows, 'VERIFIED')}
        >
          {texts.approveUnseenWarning}
        </ConfirmModal>
      )}
    </div>
  );
}

function focusRow(key: string | null): void {
  document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus({ preventScroll: true });
}

import { Checkbox } from '@mantine/core';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ComponentType, type MouseEvent, memo, useLayoutEffect, useRef, useState } from 'react';
import { texts } from '../../../texts/admin-queue.ts';
import type { SummaryProps } from './queue-kind.ts';
import classes from './queue-list.module.css';

interface QueueListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** How many there are, with those that are not loaded. */
  readonly count: number;
  readonly currentKey: string | null;
  /** Where the current row is. */
  readonly place: number;
  readonly isMarked: (key: string) => boolean;
  readonly labelOf: (row: Row) => string;
  readonly Summary: ComponentType<SummaryProps<Row>>;
  readonly onToggle: (key: string) => void;
  readonly onChoose: (key: string) => void;
  /** When a row is clicked, and nothing in it that does something else. */
  readonly onOpen: () => void;
}

const estimatedHeight = 65;
/** The header of the page and the bar, which lie above the rows. */
const coveredAbove = 130;

/** The rows of a queue. Only those on the screen are in the document, however many are loaded. */
export function QueueList<Row extends { readonly id: string }>({
  label,
  rows,
  count,
  currentKey,
  place,
  isMarked,
  labelOf,
  Summary,
  onToggle,
  onChoose,
  onOpen,
}: QueueListProps<Row>) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => estimatedHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: coveredAbove,
    scrollPaddingEnd: 16,
    useFlushSync: false,
    // The current row has the focus, which would be lost with it.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return shown.includes(place) || place >= rows.length ? shown : [...shown, place].sort((a, b) => a - b);
    },
  });
  useLayoutEffect(() => {
    // Whatever stands above the rows may grow.
    const now = Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    if (now !== top) setTop(now);
  });
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    // Where a visitor comes back to is not for the queue to choose.
    if (isFirst.current) isFirst.current = false;
    else if (currentKey !== null) virtualizer.scrollToIndex(place, { align: 'auto' });
  }, [virtualizer, place, currentKey]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: as its rows.
    <div
      ref={list}
      className={classes.list}
      role="grid"
      aria-label={label}
      aria-rowcount={count}
      aria-multiselectable
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <Row
            key={row.id}
            row={row}
            index={index}
            top={start - top}
            label={labelOf(row)}
            isCurrent={row.id === currentKey}
            isMarked={isMarked(row.id)}
            Summary={Summary as ComponentType<SummaryProps<{ readonly id: string }>>}
            measure={virtualizer.measureElement}
            onToggle={onToggle}
            onChoose={onChoose}
            onOpen={onOpen}
          />
        );
      })}
    </div>
  );
}

interface RowProps {
  readonly row: { readonly id: string };
  readonly index: number;
  readonly top: number;
  readonly label: string;
  readonly isCurrent: boolean;
  readonly isMarked: boolean;
  readonly Summary: ComponentType<SummaryProps<{ readonly id: string }>>;
  readonly measure: (element: HTMLDivElement | null) => void;
  readonly onToggle: (key: string) => void;
  readonly onChoose: (key: string) => void;
  readonly onOpen: () => void;
}

/** One row. It is drawn again only if something of it is different: a key press must not cost more the more rows there are. */
const Row = memo(function Row({
  row,
  index,
  top,
  label,
  isCurrent,
  isMarked,
  Summary,
  measure,
  onToggle,
  onChoose,
  onOpen,
}: RowProps) {
  // `j` and `k` lead to the others: there may be thousands.
  const tabIndex = isCurrent ? 0 : -1;
  const open = ({ target }: MouseEvent) => {
    const isOwn = target instanceof Element && target.closest('a, button, input, label') === null;
    // A text that was marked is about to be copied.
    if (isOwn && window.getSelection()?.isCollapsed !== false) onOpen();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: space and enter do the same, wherever the focus is.
    // biome-ignore lint/a11y/useSemanticElements: rows of a table cannot be placed one by one.
    <div
      ref={measure}
      role="row"
      data-index={index}
      data-key={row.id}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={tabIndex}
      aria-rowindex={index + 1}
      aria-selected={isMarked}
      aria-current={isCurrent || undefined}
      onPointerDown={() => onChoose(row.id)}
      onClick={open}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: what is in it has the focus. */}
      <div role="gridcell" className={classes.cell}>
        {/* Whoever misses the box by a little does not open the row. */}
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the box in it is one. */}
        <label className={classes.mark}>
          <Checkbox
            aria-label={texts.markLabel(label)}
            tabIndex={tabIndex}
            checked={isMarked}
            onChange={() => onToggle(row.id)}
          />
        </label>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: what is in it has the focus. */}
      <div role="gridcell" className={classes.content}>
        <Summary row={row} tabIndex={tabIndex} />
      </div>
    </div>
  );
});

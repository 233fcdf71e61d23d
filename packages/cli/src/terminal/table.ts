import type { Output } from '../context.ts';
import { toPlainText } from './style.ts';
import { textWidth, truncate } from './text-width.ts';

export interface Column<Row> {
  readonly title: string;
  /** The text of a cell. */
  readonly cell: (row: Row) => string;
  /** A shorter text for terminals that are too narrow for `cell`. */
  readonly shortCell?: (row: Row) => string;
  /** The column may be cut to this width. Columns without it are never cut. */
  readonly minWidth?: number;
  /** Columns with the highest number are left out first. Columns without it are always shown. */
  readonly leaveOutRank?: number;
}

interface MeasuredColumn<Row> extends Column<Row> {
  readonly texts: readonly string[];
  readonly width: number;
}

const gap = '  ';

/**
 * Formats rows as a table under a header line. On a terminal the table fits its width: cells get shorter, then columns
 * are left out, then cells are cut. Elsewhere every cell is complete, so that other programs can search the output.
 */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  output: Output,
): string {
  const full = columns.map((column) => measure(column, column.cell, rows));
  const fitted = output.isTTY && output.columns ? fit(full, rows, output.columns) : full;
  const lines = [-1, ...rows.keys()].map((row) =>
    fitted
      .map(({ texts, title, width }) => pad(truncate(texts[row] ?? title, width), width))
      .join(gap)
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function fit<Row>(
  full: readonly MeasuredColumn<Row>[],
  rows: readonly Row[],
  available: number,
): readonly MeasuredColumn<Row>[] {
  if (totalWidth(full) <= available) return full;
  let columns = full.map((column) => (column.shortCell ? measure(column, column.shortCell, rows) : column));
  while (totalWidth(columns.map(toMinWidth)) > available) {
    const ranks = columns.map(({ leaveOutRank }) => leaveOutRank ?? 0);
    const highest = Math.max(...ranks);
    if (highest === 0) break;
    columns = columns.filter((_, index) => ranks[index] !== highest);
  }
  return shrink(columns, totalWidth(columns) - available);
}

/** Takes the excess from the columns that may be cut, one after the other. */
function shrink<Row>(columns: readonly MeasuredColumn<Row>[], excess: number): MeasuredColumn<Row>[] {
  let left = excess;
  return columns.map((column) => {
    const cut = Math.max(0, Math.min(left, column.width - toMinWidth(column).width));
    left -= cut;
    return { ...column, width: column.width - cut };
  });
}

function measure<Row>(
  column: Column<Row>,
  cell: (row: Row) => string,
  rows: readonly Row[],
): MeasuredColumn<Row> {
  const texts = rows.map((row) => toPlainText(cell(row)));
  return { ...column, texts, width: Math.max(...[column.title, ...texts].map(textWidth)) };
}

function toMinWidth<Row>(column: MeasuredColumn<Row>): MeasuredColumn<Row> {
  return { ...column, width: Math.min(column.width, column.minWidth ?? column.width) };
}

function totalWidth(columns: readonly { readonly width: number }[]): number {
  return columns.reduce((sum, { width }) => sum + width, gap.length * (columns.length - 1));
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

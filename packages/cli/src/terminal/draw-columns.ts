export interface ColumnChart {
  /** What the columns stand for, in their order; none is negative. */
  readonly values: readonly number[];
  /** What the first and the last column stand for. */
  readonly ends: readonly [string, string];
  /** What stands beside the highest column. */
  readonly writeValue: (value: number) => string;
  readonly width: number;
  readonly height: number;
}

const eighths = ' ▁▂▃▄▅▆▇█';
const widestColumn = 6;

/** Draws columns of blocks, each an eighth of a line exact. Where there are more than fit, neighbours are added up. */
export function drawColumns({ values, ends, writeValue, width, height }: ColumnChart): string[] {
  const { columns, merged, margin } = fitColumns(values, width, writeValue);
  const room = roomBeside(margin, width);
  const columnWidth = Math.max(1, Math.min(widestColumn, Math.floor(room / Math.max(1, columns.length))));
  const highest = Math.max(...columns, 0);
  const rows = Array.from({ length: height }, (_, row) => {
    const below = height - row - 1;
    const blocks = columns.map((value) => blockAt(value, highest, height, below).repeat(fill(columnWidth)));
    const label = row === 0 ? writeValue(highest) : '';
    return `${label.padStart(margin)} ${row === 0 ? '┤' : '│'}${blocks.join(' '.repeat(columnWidth - fill(columnWidth)))}`;
  });
  const length = columnWidth * columns.length;
  const [first, last] = ends;
  const gap = ' '.repeat(Math.max(1, length - first.length - last.length));
  return [
    ...rows.map((row) => row.trimEnd()),
    `${'0'.padStart(margin)} └${'─'.repeat(length)}`,
    `${' '.repeat(margin + 2)}${values.length > 1 ? first + gap + last : first}`,
    ...(merged > 1 ? [`${' '.repeat(margin + 2)}${merged} to a column`] : []),
  ];
}

/** The axis takes a character, and the blank before it another. */
function roomBeside(margin: number, width: number): number {
  return Math.max(1, width - margin - 2);
}

/** The columns, how many values each stands for, and how wide what stands beside them is: all depend on each other. */
function fitColumns(
  values: readonly number[],
  width: number,
  writeValue: (value: number) => string,
): { columns: number[]; merged: number; margin: number } {
  for (let margin = 1; ; ) {
    const merged = Math.ceil(values.length / roomBeside(margin, width));
    const columns = mergeNeighbours(values, merged);
    const needed = writeValue(Math.max(...columns, 0)).length;
    if (needed <= margin) return { columns, merged, margin };
    margin = needed;
  }
}

/** Columns that are wide enough have a blank between them. */
function fill(columnWidth: number): number {
  return columnWidth > 2 ? columnWidth - 1 : columnWidth;
}

function blockAt(value: number, highest: number, height: number, linesBelow: number): string {
  if (value <= 0) return ' ';
  // Whatever is there can be seen.
  const size = Math.max(1, Math.round((value / highest) * height * 8));
  return eighths[Math.min(8, Math.max(0, size - linesBelow * 8))] ?? ' ';
}

function mergeNeighbours(values: readonly number[], size: number): number[] {
  const merged: number[] = [];
  for (const [at, value] of values.entries()) {
    const group = Math.floor(at / size);
    merged[group] = (merged[group] ?? 0) + value;
  }
  return merged;
}

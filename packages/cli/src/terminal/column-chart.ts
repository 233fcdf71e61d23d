export interface ColumnChart {
  /** One value per column, none of them negative. */
  readonly values: readonly number[];
  /** Labels under the first and the last column. */
  readonly ends: readonly [string, string];
  /** Formats the label of the highest column. */
  readonly formatValue: (value: number) => string;
  readonly width: number;
  readonly height: number;
}

const eighths = ' ▁▂▃▄▅▆▇█';
const maxColumnWidth = 6;

/** Draws a column chart with a precision of an eighth of a line. Neighbours are added up if not all columns fit. */
export function drawColumnChart({ values, ends, formatValue, width, height }: ColumnChart): string[] {
  const { columns, valuesPerColumn, margin } = fitColumns(values, width, formatValue);
  const available = widthBesideAxis(margin, width);
  const columnWidth = Math.max(
    1,
    Math.min(maxColumnWidth, Math.floor(available / Math.max(1, columns.length))),
  );
  const highest = Math.max(...columns, 0);
  const rows = Array.from({ length: height }, (_, row) => {
    const linesBelow = height - row - 1;
    const blocks = columns.map((value) =>
      blockAt(value, highest, height, linesBelow).repeat(filledWidth(columnWidth)),
    );
    const label = row === 0 ? formatValue(highest) : '';
    const separator = ' '.repeat(columnWidth - filledWidth(columnWidth));
    return `${label.padStart(margin)} ${row === 0 ? '┤' : '│'}${blocks.join(separator)}`;
  });
  const length = columnWidth * columns.length;
  const [first, last] = ends;
  const gap = ' '.repeat(Math.max(1, length - first.length - last.length));
  const indent = ' '.repeat(margin + 2);
  return [
    ...rows.map((row) => row.trimEnd()),
    `${'0'.padStart(margin)} └${'─'.repeat(length)}`,
    `${indent}${values.length > 1 ? first + gap + last : first}`,
    ...(valuesPerColumn > 1 ? [`${indent}${valuesPerColumn} per column`] : []),
  ];
}

/** The axis and the space before it take two characters. */
function widthBesideAxis(margin: number, width: number): number {
  return Math.max(1, width - margin - 2);
}

/** Merging columns makes the highest value larger, and its label leaves less room for columns: repeat until both fit. */
function fitColumns(
  values: readonly number[],
  width: number,
  formatValue: (value: number) => string,
): { columns: number[]; valuesPerColumn: number; margin: number } {
  for (let margin = 1; ; ) {
    const valuesPerColumn = Math.ceil(values.length / widthBesideAxis(margin, width));
    const columns = mergeNeighbours(values, valuesPerColumn);
    const needed = formatValue(Math.max(...columns, 0)).length;
    if (needed <= margin) return { columns, valuesPerColumn, margin };
    margin = needed;
  }
}

/** Wide columns leave one character free as a gap. */
function filledWidth(columnWidth: number): number {
  return columnWidth > 2 ? columnWidth - 1 : columnWidth;
}

function blockAt(value: number, highest: number, height: number, linesBelow: number): string {
  if (value <= 0) return ' ';
  // At least one eighth, so that every value above zero is visible.
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

import { type Figure, isReached, type Judged, type Row } from './row.ts';

const headings = ['scenario', 'measured', 'limit', '', 'ratio', 'demanded', ''];

/** Renders the rows as an aligned Markdown table. */
export function renderTable(rows: readonly Row[]): string {
  const cells = [headings, ...rows.map(cellsOf)];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const [head = [], ...body] = cells;
  return [line(head), rule, ...body.map(line)].join('\n');
}

/** Renders a row as one line for progress messages. */
export function renderRow(row: Row): string {
  return cellsOf(row)
    .filter((cell) => cell !== '')
    .join(', ');
}

function cellsOf({ what, figure, limit, judged }: Row): string[] {
  return [
    what,
    show(figure),
    limit?.what ?? '',
    limit ? show(limit) : '',
    showJudged(judged),
    showTarget(judged),
    isReached(judged) ? 'reached' : '**not reached**',
  ];
}

function show({ value, unit }: Figure): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
}

function showJudged(judged: Judged): string {
  if (judged.kind === 'amount') return '';
  return judged.value.toFixed(2) + (judged.kind === 'times' ? ' times' : '');
}

function showTarget(judged: Judged): string {
  switch (judged.kind) {
    case 'share':
      return `at least ${judged.atLeast.toFixed(2)}`;
    case 'times':
      return `within ${judged.atMost} times`;
    case 'amount':
      return `at most ${judged.atMost} ${judged.unit}`;
  }
}

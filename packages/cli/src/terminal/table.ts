import { toPlainText } from './style.ts';

/** Columns under their heads, each as wide as it must be. */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const plain = [heads, ...rows].map((row) => row.map(toPlainText));
  const widths = heads.map((_, column) => Math.max(...plain.map((row) => widthOf(row[column] ?? ''))));
  const lines = plain.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** In characters as people count them. */
function widthOf(text: string): number {
  return [...text].length;
}

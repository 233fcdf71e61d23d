import { formatNumber } from './format-number.ts';

/** `1 order`, `1,234 orders`. A no-break space while the number is unknown, so that the line keeps its height. */
export function countOf(count: number | undefined, noun: string): string {
  if (count === undefined) return '\u00a0';
  return `${formatNumber(count)} ${count === 1 ? noun : `${noun}s`}`;
}

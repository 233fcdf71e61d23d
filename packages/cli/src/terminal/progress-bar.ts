import type { Output } from '../context.ts';

export interface ProgressBar {
  advance(count: number): void;
  /** Removes the bar from the terminal. */
  clear(): void;
}

const maxBarWidth = 30;
/** The longest text beside the bar: ` 100%  1048575 of 1048575 orders`. */
const textWidth = 35;

/** Draws a progress bar on a terminal. Writes nothing to other outputs. */
export function startProgressBar(output: Output, total: number, unit: string): ProgressBar {
  if (!output.isTTY) return { advance: () => undefined, clear: () => undefined };
  const barWidth = Math.max(0, Math.min(maxBarWidth, (output.columns ?? 80) - textWidth));
  let done = 0;
  let drawn = '';
  const draw = () => {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const filled = Math.round(share * barWidth);
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
    const percent = String(Math.floor(share * 100)).padStart(3);
    const line = `${bar} ${percent}%  ${Math.min(done, total)} of ${total} ${unit}`;
    // Most steps do not change the line, and a terminal is slow.
    if (line !== drawn) output.write(`\r${line}\u001b[K`);
    drawn = line;
  };
  draw();
  return {
    advance: (count) => {
      done += count;
      draw();
    },
    clear: () => {
      output.write('\r\u001b[K');
    },
  };
}

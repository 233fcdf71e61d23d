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
  let drawnPermille = -1;
  const draw = () => {
    // More items than the total may arrive, because some are added after the total was counted.
    const shownTotal = Math.max(total, done);
    const share = shownTotal === 0 ? 1 : done / shownTotal;
    // Drawing every item would take longer than writing it.
    const permille = Math.floor(share * 1000);
    if (permille === drawnPermille) return;
    drawnPermille = permille;
    const filled = Math.round(share * barWidth);
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
    const percent = String(Math.floor(share * 100)).padStart(3);
    output.write(`\r${bar} ${percent}%  ${done} of ${shownTotal} ${unit}\u001b[K`);
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

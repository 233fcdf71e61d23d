import type { Output } from '../cli.ts';

export interface Progress {
  advance(count: number): void;
  /** Takes the bar away. */
  end(): void;
}

const barWidth = 30;

/** A bar on a terminal; nothing at all elsewhere. */
export function startProgress(output: Output, total: number): Progress {
  if (!output.isTTY) return { advance: () => undefined, end: () => undefined };
  let done = 0;
  let shown = '';
  const draw = () => {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const filled = Math.round(share * barWidth);
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
    const line = `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${Math.min(done, total)} of ${total} orders`;
    // Often nothing has changed that anybody would see.
    if (line !== shown) output.write(`\r${line}\u001b[K`);
    shown = line;
  };
  draw();
  return {
    advance: (count) => {
      done += count;
      draw();
    },
    end: () => {
      output.write('\r\u001b[K');
    },
  };
}

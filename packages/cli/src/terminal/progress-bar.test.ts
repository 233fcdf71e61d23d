import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { startProgressBar } from './progress-bar.ts';

function draw(columns: number | null, use: (bar: ReturnType<typeof startProgressBar>) => void, total = 200) {
  const output = Object.assign(
    new PassThrough({ highWaterMark: 1_000_000 }),
    columns === null ? {} : { isTTY: true, columns },
  );
  use(startProgressBar(output, total, 'orders'));
  return String(output.read() ?? '')
    .split('\r')
    .slice(1);
}

describe('startProgressBar', () => {
  it('draws a bar when the share changes', () => {
    const [first, half, again] = draw(80, (bar) => {
      bar.advance(100);
      bar.advance(0);
    });
    expect(first).toBe(`${'░'.repeat(30)}   0%  0 of 200 orders\u001b[K`);
    expect(half).toBe(`${'█'.repeat(15)}${'░'.repeat(15)}  50%  100 of 200 orders\u001b[K`);
    expect(again).toBeUndefined();
  });

  it('fits the width of the terminal', () => {
    const lines = draw(40, (bar) => bar.advance(1_048_575), 1_048_575);
    expect(lines.at(-1)).toBe(`${'█'.repeat(5)} 100%  1048575 of 1048575 orders\u001b[K`);
  });

  it('draws at most a thousand times', () => {
    const lines = draw(
      80,
      (bar) => {
        for (let count = 0; count < 50_000; count++) bar.advance(1);
      },
      50_000,
    );
    expect(lines).toHaveLength(1001);
  });

  it('raises the total if more items arrive', () => {
    expect(draw(80, (bar) => bar.advance(201)).at(-1)).toContain('100%  201 of 201 orders');
  });

  it('is full if there is nothing to do', () => {
    expect(draw(80, () => undefined, 0)).toEqual([`${'█'.repeat(30)} 100%  0 of 0 orders\u001b[K`]);
  });

  it('removes itself', () => {
    expect(draw(80, (bar) => bar.clear()).at(-1)).toBe('\u001b[K');
  });

  it('writes nothing to other outputs', () => {
    expect(
      draw(null, (bar) => {
        bar.advance(1);
        bar.clear();
      }),
    ).toEqual([]);
  });
});

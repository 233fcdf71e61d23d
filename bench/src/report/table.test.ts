import { describe, expect, it } from 'vitest';
import { isReached, type Row, shareOf, timesOf } from './row.ts';
import { renderRow, renderTable } from './table.ts';

const quick: Row = {
  id: 'quick',
  what: 'GET /planets',
  figure: { value: 8_123.4, unit: 'req/s' },
  limit: { what: 'fastify', value: 10_000, unit: 'req/s' },
  judged: shareOf(8_123.4, 10_000, 0.8),
};
const slow: Row = {
  id: 'slow',
  what: 'start',
  figure: { value: 2.345, unit: 's' },
  limit: null,
  judged: { kind: 'amount', value: 2.345, atMost: 2, unit: 's' },
};

describe('a target', () => {
  it.each([
    [shareOf(80, 100, 0.8), true],
    [shareOf(79, 100, 0.8), false],
    // Shown as 0.80.
    [shareOf(79.6, 100, 0.8), true],
    [timesOf(50, 100, 2), true],
    [timesOf(40, 100, 2), false],
    [timesOf(200, 100, 1.2), true],
    [{ kind: 'amount', value: 299, atMost: 300, unit: 'MB' } as const, true],
    [{ kind: 'amount', value: 301, atMost: 300, unit: 'MB' } as const, false],
  ])('%j reached: %s', (judged, reached) => {
    expect(isReached(judged)).toBe(reached);
  });
});

describe('the table', () => {
  it('aligns figure, limit, ratio and target', () => {
    expect(renderTable([quick, slow]).split('\n')).toEqual([
      '| scenario     | measured    | limit   |              | ratio | demanded      |                 |',
      '|--------------|-------------|---------|--------------|-------|---------------|-----------------|',
      '| GET /planets | 8,123 req/s | fastify | 10,000 req/s | 0.81  | at least 0.80 | reached         |',
      '| start        | 2.35 s      |         |              |       | at most 2 s   | **not reached** |',
    ]);
  });

  it('renders a row as one line for progress messages', () => {
    expect(renderRow(slow)).toBe('start, 2.35 s, at most 2 s, **not reached**');
  });
});

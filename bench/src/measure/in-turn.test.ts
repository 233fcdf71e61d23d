import { expect, it } from 'vitest';
import { measureInTurn } from './in-turn.ts';
import { median } from './median.ts';

it('measures in turn after a warm-up of each, and takes the medians', async () => {
  const calls: string[] = [];
  const figures = { ours: [5, 1, 3], limit: [10, 30, 20] };
  const measure = (name: 'ours' | 'limit') => async () => {
    calls.push(name);
    return figures[name].shift() ?? 0;
  };
  const warmUp = (name: string) => async () => calls.push(`warm ${name}`);
  const medians = await measureInTurn(
    { ours: measure('ours'), limit: measure('limit') },
    { ours: warmUp('ours'), limit: warmUp('limit') },
  );
  expect(medians).toEqual({ ours: 3, limit: 20 });
  expect(calls).toEqual(['warm ours', 'warm limit', 'ours', 'limit', 'ours', 'limit', 'ours', 'limit']);
});

it('has no median of nothing', () => {
  expect(() => median([])).toThrow(RangeError);
});

import { expect, it } from 'vitest';
import { measureInterleaved } from './interleaved.ts';
import { median } from './median.ts';

it('warms up each measurement, alternates between them and returns the medians', async () => {
  const calls: string[] = [];
  const values = { ours: [5, 1, 3], limit: [10, 30, 20] };
  const measure = (name: 'ours' | 'limit') => async () => {
    calls.push(name);
    return values[name].shift() ?? 0;
  };
  const warmUp = (name: string) => async () => calls.push(`warm ${name}`);
  const medians = await measureInterleaved(
    { ours: measure('ours'), limit: measure('limit') },
    { ours: warmUp('ours'), limit: warmUp('limit') },
  );
  expect(medians).toEqual({ ours: 3, limit: 20 });
  expect(calls).toEqual(['warm ours', 'warm limit', 'ours', 'limit', 'ours', 'limit', 'ours', 'limit']);
});

it('throws for the median of an empty list', () => {
  expect(() => median([])).toThrow(RangeError);
});

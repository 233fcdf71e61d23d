import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serializePage } from './serialize-page.ts';

const serialize = (page: object) => JSON.stringify({ success: true, data: page });

it('serializes a page as it would be serialized at once', async () => {
  const item = fc.record({
    name: fc.string({ unit: 'grapheme' }),
    tags: fc.array(fc.string(), { maxLength: 2 }),
  });
  const page = fc.record({
    before: fc.string(),
    items: fc.array(item, { maxLength: 200, size: 'max' }),
    others: fc.array(fc.integer(), { maxLength: 3 }),
    after: fc.constantFrom(null, 'text', '"items":[]', { items: [] }, { items: [1] }),
  });
  await fc.assert(
    fc.asyncProperty(page, async (each) => {
      expect(String(await serializePage(each, serialize))).toBe(serialize(each));
    }),
    { numRuns: 50 },
  );
});

it('lets other work run between the slices of a long page', async () => {
  const sizes: number[] = [];
  let turns = 0;
  const count = () => {
    turns++;
    pending = setImmediate(count);
  };
  let pending = setImmediate(count);
  await serializePage({ items: Array.from({ length: 120 }, (_, id) => ({ id })) }, (page) => {
    sizes.push((page as { items: unknown[] }).items.length);
    return serialize(page);
  });
  clearImmediate(pending);
  expect(sizes).toEqual([0, 50, 50, 20]);
  expect(turns).toBeGreaterThanOrEqual(3);
});

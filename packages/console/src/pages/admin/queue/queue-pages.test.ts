import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type QueuePages, rowsOf, withHead, withoutRows } from './queue-pages.ts';

interface Row {
  readonly id: string;
  readonly state: string;
}

const row = (id: string, state = 'PENDING'): Row => ({ id, state });
const page = (ids: string, itemCount: number) => ({
  rows: [...ids].map((id) => row(id)),
  itemCount,
  next: null,
});
const loaded: QueuePages<Row> = { pages: [page('abc', 8), page('def', 8)], pageParams: ['', 'c'] };
const idsOf = (data: QueuePages<Row> | null) =>
  data &&
  rowsOf(data)
    .map(({ id }) => id)
    .join('');

it('is the same object where the first rows say that nothing has changed', () => {
  expect(withHead(loaded, page('abc', 8))).toBe(loaded);
});

it('takes new rows before the others, and keeps those that are unchanged', () => {
  const merged = withHead(loaded, page('xab', 9));
  expect(idsOf(merged)).toBe('xabcdef');
  expect(merged?.pages.map(({ itemCount }) => itemCount)).toEqual([9, 9]);
  expect(merged?.pages[0]?.rows[1]).toEqual(row('a'));
  expect(merged?.pages[1]?.rows).toBe(loaded.pages[1]?.rows);
});

it('replaces a row that has changed, and no other', () => {
  const merged = withHead(loaded, { ...page('abc', 8), rows: [row('a'), row('b', 'PAID'), row('c')] });
  expect(merged?.pages[0]?.rows.map(({ state }) => state)).toEqual(['PENDING', 'PAID', 'PENDING']);
  expect(merged?.pages[0]?.rows[0]).toBe(loaded.pages[0]?.rows[0]);
});

it('cannot tell what has happened where rows have gone, or more have come than it sees', () => {
  expect(withHead(loaded, page('abc', 7))).toBeNull();
  expect(withHead(loaded, page('acd', 7))).toBeNull();
  expect(withHead(loaded, page('xyz', 11))).toBeNull();
  expect(withHead(loaded, page('', 0))).toBeNull();
  expect(withHead(loaded, page('axb', 9))).toBeNull();
});

it('stays empty', () => {
  const empty: QueuePages<Row> = { pages: [page('', 0)], pageParams: [''] };
  expect(withHead(empty, page('', 0))).toBe(empty);
});

it('leaves out what was decided, and counts it no more', () => {
  const rest = withoutRows(loaded, new Set(['b', 'd']));
  expect(idsOf(rest)).toBe('acef');
  expect(rest.pages.map(({ itemCount }) => itemCount)).toEqual([6, 6]);
  // One that is not loaded matched too.
  const further = withoutRows(loaded, new Set(['b', 'd', 'z']));
  expect(further.pages.map(({ itemCount }) => itemCount)).toEqual([5, 5]);
  // The count was asked for when they were decided already.
  const left = withoutRows({ pages: [page('abc', 1)], pageParams: [''] }, new Set(['a', 'b']), 1);
  expect(left.pages.map(({ itemCount }) => itemCount)).toEqual([1]);
});

it('lists a row that two pages repeat once', () => {
  expect(idsOf({ ...loaded, pages: [page('abc', 8), page('cde', 8)] })).toBe('abcde');
});

it('shows what the service has, or gives up, whatever has come, changed and gone', () => {
  const pageSize = 5;
  const history = fc.record({
    rows: fc.integer({ min: 0, max: 20 }),
    pages: fc.integer({ min: 1, max: 3 }),
    added: fc.integer({ min: 0, max: 8 }),
    changed: fc.array(fc.nat({ max: 19 })),
    removed: fc.array(fc.nat({ max: 19 }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(history, ({ rows, pages, added, changed, removed }) => {
      const before = Array.from({ length: rows }, (_, index) => row(`old ${index}`));
      const data: QueuePages<Row> = {
        pages: Array.from({ length: pages }, (_, index) => ({
          rows: before.slice(index * pageSize, (index + 1) * pageSize),
          itemCount: rows,
          next: null,
        })),
        pageParams: [],
      };
      const after = [
        ...Array.from({ length: added }, (_, index) => row(`new ${index}`)),
        ...before
          .map(({ id }, index) => row(id, changed.includes(index) ? 'PAID' : 'PENDING'))
          .filter((_, index) => !removed.includes(index)),
      ];
      const head = { rows: after.slice(0, pageSize), itemCount: after.length, next: null };
      const merged = withHead(data, head);
      const isGone = after.length < rows + added;
      const isHidden = added >= pageSize && rows > 0;
      if (merged === null) {
        expect(isGone || isHidden || (rows === 0 && added > 0)).toBe(true);
        return;
      }
      expect(isGone).toBe(false);
      // What the head does not show is as old as it was.
      const shown = rowsOf(merged);
      const loadedRows = Math.min(rows, pages * pageSize);
      expect(shown.map(({ id }) => id)).toEqual(after.slice(0, loadedRows + added).map(({ id }) => id));
      expect(shown.slice(0, pageSize)).toEqual(head.rows.slice(0, shown.length));
      expect(merged.pages.every(({ itemCount }) => itemCount === after.length)).toBe(true);
    }),
  );
});

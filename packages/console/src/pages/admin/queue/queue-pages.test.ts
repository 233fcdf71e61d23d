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
  const rest = withoutRows(loaded, new Set(['b', 'd', 'z']));
  expect(idsOf(rest)).toBe('acef');
  expect(rest.pages.map(({ itemCount }) => itemCount)).toEqual([6, 6]);
});

it('lists a row that two pages repeat once', () => {
  expect(idsOf({ ...loaded, pages: [page('abc', 8), page('cde', 8)] })).toBe('abcde');
});

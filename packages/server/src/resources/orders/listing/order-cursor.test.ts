import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../lib/errors/api-error.ts';
import { readCursor, writeCursor } from './order-cursor.ts';
import type { OrderSort } from './order-filter.ts';

const id = '019a8f3e-7c00-7000-8000-000000000501';
const values = {
  createdAt: '2026-11-15T09:30:00.123Z',
  updatedAt: '2024-02-29T00:00:00.000Z',
  totalAmount: '999999999999.99',
  invoiceNumber: 'KF-7Q2M9XH4TB',
} as const;
const fields = ['createdAt', 'updatedAt', 'totalAmount', 'invoiceNumber'] as const;
const sorts = fields.flatMap((field): OrderSort[] => [
  { field, direction: 'asc' },
  { field, direction: 'desc' },
]);
const newestFirst: OrderSort = { field: 'createdAt', direction: 'desc' };

/** Returns the validation issues of a cursor. */
function refusalOf(cursor: string, sort: OrderSort = newestFirst): string[] | null {
  try {
    readCursor(cursor, sort);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'VALIDATION_FAILED') return error.issues;
    throw error;
  }
  return null;
}

const encode = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
const noCursor = ['cursor must be a nextCursor of this list'];

describe('a cursor', () => {
  it.each(sorts)('of $field $direction round-trips its position', (sort) => {
    const place = { value: values[sort.field], id };
    expect(readCursor(writeCursor(sort, place), sort)).toEqual(place);
  });

  it('is made of characters that need no escape in a query', () => {
    for (const sort of sorts) {
      expect(writeCursor(sort, { value: '?>?>~~ÿÿ', id })).toMatch(/^[\w-]+$/);
    }
  });

  it('is invalid for another sort order or direction', () => {
    for (const made of sorts) {
      const cursor = writeCursor(made, { value: values[made.field], id });
      for (const sort of sorts.filter((each) => each !== made)) {
        expect(refusalOf(cursor, sort)).toEqual(['cursor belongs to another orderBy']);
      }
    }
  });

  it.each([
    ['nothing', ''],
    ['garbage', 'garbage!'],
    ['text that is no JSON', Buffer.from('[0,"desc"').toString('base64url')],
    ['an object', encode({ field: 0, direction: 'desc', value: values.createdAt, id })],
    ['null', encode(null)],
    ['an empty list', encode([])],
    ['a list without an id', encode([0, 'desc', values.createdAt])],
    ['a field by its name', encode(['createdAt', 'desc', values.createdAt, id])],
    ['a value that is a number', encode([0, 'desc', 7, id])],
    ['an id that is none', encode([0, 'desc', values.createdAt, "x' OR true --"])],
    ['an id with a line behind it', encode([0, 'desc', values.createdAt, `${id}\n`])],
  ])('is not %s', (_what, cursor) => {
    expect(refusalOf(cursor)).toEqual(noCursor);
  });

  it('names a field that exists', () => {
    for (const field of [-1, 4, 0.5]) {
      expect(refusalOf(encode([field, 'desc', values.createdAt, id]))).toEqual([
        'cursor belongs to another orderBy',
      ]);
    }
  });

  // The database would reject each of these.
  it.each<[OrderSort['field'], string]>([
    ['createdAt', 'yesterday'],
    ['createdAt', '2026-02-30T00:00:00.000Z'],
    ['createdAt', '2026-11-15T00:00:00.000+23:00'],
    ['createdAt', 'infinity'],
    ['updatedAt', ''],
    ['updatedAt', '12026-01-01T00:00:00.000Z'],
    ['totalAmount', '1e5'],
    ['totalAmount', '-1.00'],
    ['totalAmount', 'NaN'],
    ['totalAmount', '1.'],
    ['totalAmount', '1.234'],
    ['totalAmount', '1234567890123.00'],
    ['invoiceNumber', ''],
    ['invoiceNumber', 'KF\0'],
    ['invoiceNumber', 'K'.repeat(101)],
  ])('is rejected where the %s in it is %j', (field, value) => {
    const sort: OrderSort = { field, direction: 'asc' };
    expect(refusalOf(writeCursor(sort, { value, id }), sort)).toEqual(noCursor);
  });

  it('is rejected with any of its characters changed, or names a place still', () => {
    const cursor = writeCursor(newestFirst, { value: values.createdAt, id });
    let refused = 0;
    for (let at = 0; at < cursor.length; at++) {
      const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      if (refusalOf(changed) !== null) refused++;
      else expect(readCursor(changed, newestFirst)).toMatchObject({ id: expect.any(String) });
    }
    expect(refused).toBeGreaterThan(cursor.length / 2);
  });
});

import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../lib/errors/api-error.ts';
import { type OrderFilterQuery, type OrderSort, readOrderFilter, readOrderSort } from './order-filter.ts';

const nothing = {
  from: null,
  to: null,
  search: null,
  orderStatus: null,
  paymentStatus: null,
  adminApproval: null,
  clientId: null,
  clientIds: null,
  externalReference: null,
  isRefundDue: null,
  tokenId: null,
};
const clientId = '019a8f3e-7c00-7000-8000-000000000401';

describe('the filter of a query', () => {
  it('lets everything through when nothing is asked for, or only empty values are', () => {
    expect(readOrderFilter({}, null)).toEqual(nothing);
    const empty = {
      startDate: '',
      endDate: '',
      search: '',
      searchBy: '',
      status: '',
      paymentStatus: '',
      adminApproval: '',
    } as const;
    expect(readOrderFilter(empty, null)).toEqual(nothing);
  });

  it('is of one digital key, also of the one with the number 0', () => {
    expect(readOrderFilter({}, 7)).toEqual({ ...nothing, tokenId: 7 });
    expect(readOrderFilter({}, 0)).toEqual({ ...nothing, tokenId: 0 });
  });

  it('has each of the states and the client', () => {
    const query = {
      status: 'SHIPPED',
      paymentStatus: 'PAID',
      adminApproval: 'VERIFIED',
      clientId,
    } as const;
    expect(readOrderFilter(query, null)).toEqual({
      ...nothing,
      orderStatus: 'SHIPPED',
      paymentStatus: 'PAID',
      adminApproval: 'VERIFIED',
      clientId,
    });
  });

  it('searches in one field or in all three, and nowhere when there is nothing to search for', () => {
    expect(readOrderFilter({ search: 'a%' }, null).search).toEqual({
      text: 'a%',
      by: ['clientName', 'email', 'invoiceNumber'],
    });
    expect(readOrderFilter({ search: 'a', searchBy: '' }, null).search?.by).toHaveLength(3);
    expect(readOrderFilter({ search: 'a', searchBy: 'email' }, null).search).toEqual({
      text: 'a',
      by: ['email'],
    });
    expect(readOrderFilter({ searchBy: 'email' }, null).search).toBeNull();
  });

  it('takes a day from its first millisecond to its last', () => {
    const { from, to } = readOrderFilter({ startDate: '2028-02-29', endDate: '2028-02-29' }, null);
    expect(from?.toISOString()).toBe('2028-02-29T00:00:00.000Z');
    expect(to?.toISOString()).toBe('2028-02-29T23:59:59.999Z');
  });

  it('takes a point in time for what it is, wherever the clock hangs', () => {
    const query = { startDate: '2026-11-15T01:00:00+02:00', endDate: '2026-11-15T09:30:00.123Z' };
    const { from, to } = readOrderFilter(query, null);
    expect(from?.toISOString()).toBe('2026-11-14T23:00:00.000Z');
    expect(to?.toISOString()).toBe('2026-11-15T09:30:00.123Z');
  });

  it('has no end before its start, and may be a single millisecond', () => {
    const range = (startDate: string, endDate: string) => () => readOrderFilter({ startDate, endDate }, null);
    for (const [start, end] of [
      ['2026-11-15', '2026-11-14'],
      ['2026-11-15T09:30:00.001Z', '2026-11-15T09:30:00.000Z'],
      ['2026-11-16T00:00:00Z', '2026-11-15'],
    ] as const) {
      expect(range(start, end)).toThrow(
        expect.objectContaining({ issues: ['endDate must not be before startDate'] }),
      );
      expect(range(start, end)).toThrow(ApiError);
    }
    expect(range('2026-11-15T09:30:00Z', '2026-11-15T09:30:00Z')).not.toThrow();
    expect(range('2026-11-15T23:59:59.999Z', '2026-11-15')).not.toThrow();
  });
});

describe('the order of a query', () => {
  it.each<[OrderFilterQuery['orderBy'], OrderSort['field'], OrderSort['direction']]>([
    [undefined, 'createdAt', 'desc'],
    ['', 'createdAt', 'desc'],
    ['asc', 'createdAt', 'asc'],
    ['desc', 'createdAt', 'desc'],
    ['createdAt', 'createdAt', 'asc'],
    ['createdAt:desc', 'createdAt', 'desc'],
    ['updatedAt', 'updatedAt', 'asc'],
    ['updatedAt:desc', 'updatedAt', 'desc'],
    ['totalAmount', 'totalAmount', 'asc'],
    ['totalAmount:asc', 'totalAmount', 'asc'],
    ['totalAmount:desc', 'totalAmount', 'desc'],
    ['invoiceNumber', 'invoiceNumber', 'asc'],
    ['invoiceNumber:desc', 'invoiceNumber', 'desc'],
  ])('%j is by %s, %s', (orderBy, field, direction) => {
    expect(readOrderSort(orderBy)).toEqual({ field, direction });
  });
});

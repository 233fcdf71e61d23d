import type { OrderChartQuery } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../lib/errors/api-error.ts';
import { readChartRange } from './chart-range.ts';

const now = new Date('2026-11-15T23:59:59.999Z');
const read = (query: OrderChartQuery) => readChartRange(query, now);

/** Returns the validation issues of a query. */
function refusalOf(query: OrderChartQuery): string[] | null {
  try {
    read(query);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'VALIDATION_FAILED') return error.issues;
    throw error;
  }
  return null;
}

describe('the range of a chart', () => {
  it('is the last thirty days, today included, when nothing is asked for', () => {
    for (const query of [{}, { startDate: '', endDate: '' }] as const) {
      const range = read(query);
      expect(range).toMatchObject({ interval: 'day', startDate: '2026-10-17', endDate: '2026-11-15' });
      expect(range.dates).toHaveLength(30);
      expect([range.dates[0], range.dates.at(-1)]).toEqual(['2026-10-17', '2026-11-15']);
    }
  });

  it('ends thirty days after its start only by being asked to: without an end it ends today', () => {
    expect(read({ startDate: '2026-11-14' }).dates).toEqual(['2026-11-14', '2026-11-15']);
    expect(read({ endDate: '2026-03-01' })).toMatchObject({ startDate: '2026-01-31', endDate: '2026-03-01' });
  });

  it('may be one day', () => {
    expect(read({ startDate: '2026-11-15', endDate: '2026-11-15' })).toEqual({
      interval: 'day',
      startDate: '2026-11-15',
      endDate: '2026-11-15',
      dates: ['2026-11-15'],
    });
  });

  it('has the leap day of a leap year, and goes over New Year', () => {
    expect(read({ startDate: '2028-02-28', endDate: '2028-03-01' }).dates).toEqual([
      '2028-02-28',
      '2028-02-29',
      '2028-03-01',
    ]);
    expect(read({ startDate: '2027-02-28', endDate: '2027-03-01' }).dates).toHaveLength(2);
    expect(read({ startDate: '2026-12-31', endDate: '2027-01-01' }).dates).toEqual([
      '2026-12-31',
      '2027-01-01',
    ]);
  });

  it('has weeks that begin on Monday, also the one that its first day lies in', () => {
    // A Sunday, a Monday and the Sunday after it.
    const dates = (startDate: string, endDate: string) =>
      read({ startDate, endDate, interval: 'week' }).dates;
    expect(dates('2026-11-15', '2026-11-15')).toEqual(['2026-11-09']);
    expect(dates('2026-11-16', '2026-11-22')).toEqual(['2026-11-16']);
    expect(dates('2026-11-15', '2026-11-23')).toEqual(['2026-11-09', '2026-11-16', '2026-11-23']);
    expect(dates('2026-12-31', '2027-01-04')).toEqual(['2026-12-28', '2027-01-04']);
    expect(dates('0001-01-01', '0001-01-08')).toEqual(['0001-01-01', '0001-01-08']);
  });

  it('has months of every length, and keeps the days that were asked for', () => {
    expect(read({ startDate: '2027-12-31', endDate: '2028-03-01', interval: 'month' })).toEqual({
      interval: 'month',
      startDate: '2027-12-31',
      endDate: '2028-03-01',
      dates: ['2027-12-01', '2028-01-01', '2028-02-01', '2028-03-01'],
    });
  });

  it('takes a point in time as its day in UTC', () => {
    expect(
      read({ startDate: '2026-11-14T01:00:00+02:00', endDate: '2026-11-14T23:00:00-02:00' }),
    ).toMatchObject({ startDate: '2026-11-13', endDate: '2026-11-15' });
  });

  it('has at most a thousand points', () => {
    const tooMany = ['startDate must be later, or the interval longer: a chart has at most 1000 points'];
    expect(read({ startDate: '2024-01-01', endDate: '2026-09-26' }).dates).toHaveLength(1000);
    expect(refusalOf({ startDate: '2024-01-01', endDate: '2026-09-27' })).toEqual(tooMany);
    expect(refusalOf({ startDate: '0001-01-01', endDate: '9999-12-31', interval: 'month' })).toEqual(tooMany);
    expect(read({ startDate: '2024-01-01', endDate: '2026-09-27', interval: 'week' }).dates.length).toBe(143);
  });

  it('has no end before its start', () => {
    const sentences = ['endDate must not be before startDate'];
    expect(refusalOf({ startDate: '2026-11-15', endDate: '2026-11-14' })).toEqual(sentences);
    expect(refusalOf({ startDate: '2026-11-16' })).toEqual(sentences);
    expect(refusalOf({ startDate: '2026-11-15T23:00:00Z', endDate: '2026-11-15T01:00:00Z' })).toBeNull();
  });

  it('begins in the first year that a date can have, however early it ends', () => {
    expect(read({ endDate: '0001-01-03' })).toMatchObject({
      startDate: '0001-01-01',
      dates: ['0001-01-01', '0001-01-02', '0001-01-03'],
    });
  });
});

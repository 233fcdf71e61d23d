import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOf, parseMoment, startOf } from './moments.ts';

const instantOf = (text: string) => {
  const moment = parseMoment(text);
  return moment && 'instant' in moment ? moment.instant.toISOString() : null;
};

describe('a date', () => {
  it.each(['2026-11-15', '2028-02-29', '0001-01-01', '9999-12-31', '2000-02-29'])('%s is a day', (text) => {
    expect(parseMoment(text)).toEqual({ day: text });
  });

  it('begins with its first millisecond and ends with its last', () => {
    const moment = parseMoment('2028-02-29');
    expect(moment && startOf(moment).toISOString()).toBe('2028-02-29T00:00:00.000Z');
    expect(moment && endOf(moment).toISOString()).toBe('2028-02-29T23:59:59.999Z');
  });

  it('can be any day that there is', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const day = date.toISOString().slice(0, 10);
          expect(parseMoment(day)).toEqual({ day });
          expect(instantOf(date.toISOString())).toBe(date.toISOString());
        },
      ),
    );
  });
});

describe('a date-time', () => {
  it.each([
    ['2026-11-15T09:30', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15T09:30Z', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15 09:30:01', '2026-11-15T09:30:01.000Z'],
    ['2026-11-15t09:30:01z', '2026-11-15T09:30:01.000Z'],
    ['2026-11-15T09:30:01.5Z', '2026-11-15T09:30:01.500Z'],
    ['2026-11-15T09:30:01.123456789Z', '2026-11-15T09:30:01.123Z'],
    ['2026-11-15T01:00:00+02:00', '2026-11-14T23:00:00.000Z'],
    ['2026-12-31T23:00:00-05:30', '2027-01-01T04:30:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(instantOf(text)).toBe(instant);
  });

  it('begins and ends with itself', () => {
    const moment = parseMoment('2026-11-15T09:30:00.123Z');
    const instant = new Date('2026-11-15T09:30:00.123Z');
    expect(moment && [startOf(moment), endOf(moment)]).toEqual([instant, instant]);
  });
});

it.each([
  '',
  'x',
  'today',
  '2026',
  '2026-11',
  '2026-11-1',
  '20261115',
  '2026-02-29',
  '2026-02-30',
  '2026-04-31',
  '2026-13-01',
  '2026-00-01',
  '2026-01-00',
  '0000-12-31',
  '12026-01-01',
  '-2026-01-01',
  '2026-11-15T',
  '2026-11-15T09',
  '2026-11-15T9:30',
  '2026-11-15T25:00',
  '2026-11-15T09:60',
  '2026-11-15T09:30:61',
  '2026-11-15T09:30:00,5Z',
  '2026-11-15T09:30:00 02:00',
  '2026-11-15T09:30:00+2:00',
  '2026-11-15T09:30:00+24:00',
  '2026-11-15T09:30:00+02:60',
  '2026-02-30T09:30:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  ' 2026-11-15',
  '2026-11-15\n',
  '2026-11-15\0',
  '２０２６-11-15',
  '1763200000000',
  'Sun, 15 Nov 2026 09:30:00 GMT',
])('%j is neither', (text) => {
  expect(parseMoment(text)).toBeNull();
});

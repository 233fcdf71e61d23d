import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitIntoDays, type WholeDays } from './split-into-days.ts';

const dayMs = 24 * 60 * 60 * 1000;
const earliest = new Date('0001-01-01T00:00:00.000Z');
const latest = new Date('9999-12-31T23:59:59.999Z');

/** The pieces of a range in milliseconds, both ends included, in the order of time. */
function piecesOf({ days, rests }: WholeDays): [number, number][] {
  const pieces = rests.map(({ from, to }): [number, number] => [from.getTime(), to.getTime()]);
  if (days) {
    pieces.push([
      days.first === null ? Number.NEGATIVE_INFINITY : Date.parse(days.first),
      days.last === null ? Number.POSITIVE_INFINITY : Date.parse(days.last) + dayMs - 1,
    ]);
  }
  return pieces.sort(([one], [other]) => one - other);
}

function expectExactCover(from: Date | null, to: Date | null): void {
  const pieces = piecesOf(splitIntoDays(from, to));
  expect(pieces[0]?.[0]).toBe(from?.getTime() ?? Number.NEGATIVE_INFINITY);
  expect(pieces.at(-1)?.[1]).toBe(to?.getTime() ?? Number.POSITIVE_INFINITY);
  for (const [start, end] of pieces) expect(start).toBeLessThanOrEqual(end);
  // Each begins a millisecond after the one before it: no gap, and nothing twice.
  for (const [at, [start]] of pieces.entries()) {
    const before = pieces[at - 1];
    if (before) expect(start).toBe(before[1] + 1);
  }
}

// Close to midnight is where it can go wrong.
const moment = fc.oneof(
  fc.date({ min: earliest, max: latest, noInvalidDate: true }),
  fc
    .tuple(fc.integer({ min: 20_000, max: 20_006 }), fc.integer({ min: -2, max: 2 }))
    .map(([day, ms]) => new Date(day * dayMs + ms)),
);

describe('a split range', () => {
  it('is covered exactly once, and its rests are shorter than a day', () => {
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [from, to] = one <= other ? [one, other] : [other, one];
        expectExactCover(from, to);
        for (const rest of splitIntoDays(from, to).rests) {
          expect(rest.to.getTime() - rest.from.getTime()).toBeLessThan(dayMs - 1);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('goes on without end where it has none', () => {
    fc.assert(
      fc.property(
        moment.filter(
          (at) => at.getTime() - earliest.getTime() > dayMs && latest.getTime() - at.getTime() > dayMs,
        ),
        (at) => {
          expectExactCover(at, null);
          expectExactCover(null, at);
        },
      ),
    );
    expect(splitIntoDays(null, null)).toEqual({ days: { first: null, last: null }, rests: [] });
  });

  it('is one day where it is exactly one, and only a rest where it is less', () => {
    const from = new Date('2028-02-29T00:00:00.000Z');
    expect(splitIntoDays(from, new Date('2028-02-29T23:59:59.999Z'))).toEqual({
      days: { first: '2028-02-29', last: '2028-02-29' },
      rests: [],
    });
    const to = new Date('2028-02-29T23:59:59.998Z');
    expect(splitIntoDays(from, to)).toEqual({ days: null, rests: [{ from, to }] });
  });

  it('has two rests and no day where it only crosses midnight', () => {
    const from = new Date('2026-12-31T18:00:00.000Z');
    const to = new Date('2027-01-01T06:00:00.000Z');
    expect(splitIntoDays(from, to)).toEqual({
      days: null,
      rests: [
        { from, to: new Date('2026-12-31T23:59:59.999Z') },
        { from: new Date('2027-01-01T00:00:00.000Z'), to },
      ],
    });
  });

  it('names no day before the first year or after the last that a date can have', () => {
    const morning = new Date('0001-01-01T12:00:00.000Z');
    const evening = new Date('9999-12-31T12:00:00.000Z');
    expect(splitIntoDays(null, morning)).toEqual({ days: null, rests: [{ from: earliest, to: morning }] });
    expect(splitIntoDays(evening, null)).toEqual({ days: null, rests: [{ from: evening, to: latest }] });
  });
});

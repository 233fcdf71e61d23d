import { afterEach, describe, expect, it } from 'vitest';
import { endOfLocalDay, startOfLocalDay } from './local-days.ts';

const ownZone = process.env.TZ;

function inZone(zone: string): void {
  process.env.TZ = zone;
  // The formats of other zones must not be those of this one.
  expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
}

describe('the days of the viewer', () => {
  afterEach(() => {
    if (ownZone === undefined) delete process.env.TZ;
    else process.env.TZ = ownZone;
  });

  it.each([
    ['Pacific/Auckland', '2026-11-12', '2026-11-11T11:00:00.000Z', '2026-11-12T10:59:59.999Z'],
    ['America/St_Johns', '2026-11-12', '2026-11-12T03:30:00.000Z', '2026-11-13T03:29:59.999Z'],
    // 23 hours, 25 hours.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    // The clock goes from 0 to 1 at midnight, and from 1 back to 0.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T20:59:59.999Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
    // A day that was skipped.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
    ['UTC', '2028-02-29', '2028-02-29T00:00:00.000Z', '2028-02-29T23:59:59.999Z'],
    ['UTC', '0099-12-31', '0099-12-31T00:00:00.000Z', '0099-12-31T23:59:59.999Z'],
  ])('in %s, %s is from %s to %s', (zone, day, start, end) => {
    inZone(zone);
    expect([startOfLocalDay(day), endOfLocalDay(day)]).toEqual([start, end]);
  });

  it('contain the moments that are shown with that day, and no others, in every zone', {
    tags: ['long'],
  }, () => {
    const dayMs = 24 * 3_600_000;
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      process.env.TZ = zone;
      const shown = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone });
      // Every day of a year with a leap day, by its edges.
      for (let noonMs = Date.UTC(2027, 6, 1, 12); noonMs < Date.UTC(2028, 6, 1); noonMs += dayMs) {
        const day = new Date(noonMs).toISOString().slice(0, 10);
        const start = Date.parse(startOfLocalDay(day));
        const end = Date.parse(endOfLocalDay(day));
        const edges = [start - 1, start, end, end + 1].map((moment) => shown.format(moment) === day);
        if (String(edges) !== 'false,true,true,false') expect([zone, day, edges]).toEqual([]);
      }
    }
  });
});

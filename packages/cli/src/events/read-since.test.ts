import { expect, it } from 'vitest';
import { readSince } from './read-since.ts';

const now = new Date('2026-11-15T10:00:00.000Z');

it.each([
  ['90s', '2026-11-15T09:58:30.000Z'],
  ['30m', '2026-11-15T09:30:00.000Z'],
  ['2h', '2026-11-15T08:00:00.000Z'],
  ['1d', '2026-11-14T10:00:00.000Z'],
  ['2026-11-15', '2026-11-15T00:00:00.000Z'],
  ['2026-11-15T09:30Z', '2026-11-15T09:30:00.000Z'],
  ['2026-11-15T09:30:00.123Z', '2026-11-15T09:30:00.123Z'],
  ['2026-11-15T11:30:00+02:00', '2026-11-15T09:30:00.000Z'],
])('reads %s', (text, time) => {
  expect(readSince(text, now).toISOString()).toBe(time);
});

it.each([
  '',
  '2',
  '2w',
  '-1h',
  'yesterday',
  '2026-11-15T09:30:00',
  '2026-13-01',
  '2026-11-15 09:30',
  '1h30m',
])('refuses %j', (text) => {
  expect(() => readSince(text, now)).toThrow('--since must be a time');
});

import { expect, it } from 'vitest';
import { readOptions, usage, WrongUsage } from './options.ts';

it('runs everything when nothing is said', () => {
  expect(readOptions([])).toEqual({ quick: false, only: [], data: null, seconds: null, profile: null });
});

it('takes what is said', () => {
  expect(
    readOptions(['--quick', '--only', 'csv, start', '--data', 'x', '--seconds', '0.5', '--profile', 'y']),
  ).toEqual({ quick: true, only: ['csv', 'start'], data: 'x', seconds: 0.5, profile: 'y' });
  expect(readOptions(['--help'])).toBeNull();
  expect(usage).toContain('placing-orders');
});

it.each([
  [['--only', 'nothing'], 'There is no scenario "nothing".'],
  [['--seconds', 'many'], '--seconds takes a number above 0.'],
  [['--seconds', '0'], '--seconds takes a number above 0.'],
  [['--fast'], "Unknown option '--fast'"],
  [['fast'], 'Unexpected argument'],
])('refuses %j', (args, sentence) => {
  expect(() => readOptions(args)).toThrow(WrongUsage);
  expect(() => readOptions(args)).toThrow(sentence);
});

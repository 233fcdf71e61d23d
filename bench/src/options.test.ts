import { expect, it } from 'vitest';
import { readOptions, UsageError, usage } from './options.ts';

it('runs all scenarios by default', () => {
  expect(readOptions([])).toEqual({ quick: false, only: [], data: null, seconds: null, profile: null });
});

it('reads every option', () => {
  expect(
    readOptions(['--quick', '--only', 'csv, start', '--data', 'x', '--seconds', '0.5', '--profile', 'y']),
  ).toEqual({ quick: true, only: ['csv', 'start'], data: 'x', seconds: 0.5, profile: 'y' });
  expect(readOptions(['--help'])).toBeNull();
  expect(usage).toContain('checkout');
});

it.each([
  [['--only', 'nothing'], 'Unknown scenario "nothing".'],
  [['--seconds', 'many'], '--seconds must be a number greater than 0.'],
  [['--seconds', '0'], '--seconds must be a number greater than 0.'],
  [['--fast'], "Unknown option '--fast'"],
  [['fast'], 'Unexpected argument'],
])('rejects %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(UsageError);
  expect(() => readOptions(args)).toThrow(message);
});

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readOptions, UsageError, usage } from './options.ts';
import { root } from './root.ts';

it('runs all scenarios by default', () => {
  expect(readOptions([])).toEqual({
    quick: false,
    orders: null,
    costs: false,
    peers: false,
    peersFolder: join(root, 'bench/.cache/peers'),
    buyers: 8,
    only: [],
    data: null,
    seconds: null,
    profile: null,
  });
});

it('reads every option', () => {
  expect(
    readOptions(['--quick', '--only', 'csv, start', '--data', 'x', '--seconds', '0.5', '--profile', 'y']),
  ).toEqual({
    quick: true,
    orders: null,
    costs: false,
    peers: false,
    peersFolder: expect.any(String),
    buyers: 8,
    only: ['csv', 'start'],
    data: 'x',
    seconds: 0.5,
    profile: 'y',
  });
  expect(readOptions(['--orders', '10000000', '--costs'])).toMatchObject({ orders: 10_000_000, costs: true });
  expect(readOptions(['--peers', '--peers-folder', '/cache', '--buyers', '32'])).toMatchObject({
    buyers: 32,
    peers: true,
    peersFolder: '/cache',
  });
  expect(readOptions(['--help'])).toBeNull();
  expect(usage).toContain('checkout');
});

it.each([
  [['--only', 'nothing'], 'Unknown scenario "nothing".'],
  [['--seconds', 'many'], '--seconds must be a number greater than 0.'],
  [['--seconds', '0'], '--seconds must be a number greater than 0.'],
  [['--orders', 'many'], '--orders must be a whole number from 1000 to 90000000.'],
  [['--orders', '1e9'], '--orders must be a whole number from 1000 to 90000000.'],
  [['--buyers', '0'], '--buyers must be a whole number from 1 to 320.'],
  [['--fast'], "Unknown option '--fast'"],
  [['fast'], 'Unexpected argument'],
])('rejects %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(UsageError);
  expect(() => readOptions(args)).toThrow(message);
});

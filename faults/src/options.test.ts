import { expect, it } from 'vitest';
import { readOptions, usage } from './options.ts';

it('reads the command line, and describes it', () => {
  expect(readOptions(['--help'], () => 1)).toBeNull();
  expect(usage).toContain('--kills <n>');
  expect(
    readOptions(['--kills', '100', '--minutes', '10', '--seed', '7', '--only', 'kills'], () => 1),
  ).toMatchObject({
    only: ['kills'],
    seeds: [7],
    sizes: { kills: 100, minutes: 10, networkFaults: 100, failovers: 5 },
  });
  expect(readOptions([], () => 42)).toMatchObject({ seeds: [42], sizes: { kills: 20, minutes: 0 } });
  expect(readOptions(['--seed', '3,5-7'], () => 1)).toMatchObject({ seeds: [3, 5, 6, 7] });
  expect(() => readOptions(['--seed', 'x'], () => 1)).toThrow(
    '--seed must be a list such as 3,5-7, not "x".',
  );
  expect(() => readOptions(['--seed', '7-5'], () => 1)).toThrow(
    '--seed has a range that ends before it begins: "7-5".',
  );
  expect(() => readOptions(['--kills', 'many'], () => 1)).toThrow('--kills must be a number, not "many".');
  expect(() => readOptions(['--only', 'rain'], () => 1)).toThrow('Unknown trial "rain".');
  expect(() => readOptions(['--unknown'], () => 1)).toThrow("Unknown option '--unknown'");
});

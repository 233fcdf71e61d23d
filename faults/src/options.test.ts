import { expect, it } from 'vitest';
import { readOptions, usage } from './options.ts';

it('reads the command line, and describes it', () => {
  expect(readOptions(['--help'], () => 1)).toBeNull();
  expect(usage).toContain('--kills <n>');
  expect(
    readOptions(['--kills', '100', '--minutes', '10', '--seed', '7', '--only', 'kills'], () => 1),
  ).toMatchObject({
    only: ['kills'],
    seed: 7,
    sizes: { kills: 100, minutes: 10, networkFaults: 100, failovers: 5 },
  });
  expect(readOptions([], () => 42)).toMatchObject({ seed: 42, sizes: { kills: 20, minutes: 0 } });
  expect(() => readOptions(['--kills', 'many'], () => 1)).toThrow('--kills must be a number, not "many".');
  expect(() => readOptions(['--only', 'rain'], () => 1)).toThrow('Unknown trial "rain".');
  expect(() => readOptions(['--unknown'], () => 1)).toThrow("Unknown option '--unknown'");
});

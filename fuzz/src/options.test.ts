import { describe, expect, it } from 'vitest';
import { readOptions, UsageError } from './options.ts';

describe('readOptions', () => {
  it('reads all options', () => {
    expect(readOptions(['--requests', '5', '--seed', '0', '--connections', '2'])).toEqual({
      only: ['requests', 'bodies'],
      requests: 5,
      seed: 0,
      connections: 2,
      url: null,
      credentials: null,
    });
    const url = 'http://127.0.0.1:3000/api/v1';
    expect(readOptions(['--url', url, '--credentials', 'demo.json'])).toMatchObject({
      only: ['requests'],
      url,
      credentials: 'demo.json',
      requests: 10_000,
    });
    expect(readOptions(['--only', 'bodies'])).toMatchObject({ only: ['bodies'] });
    expect(readOptions(['--help'])).toBeNull();
  });

  it('chooses a seed, which the report prints', () => {
    expect(readOptions([])?.seed).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['--requests', '0'],
    ['--requests', 'many'],
    ['--seed', '-1'],
    ['--seed', '1.5'],
    ['--connections', ''],
    ['--url', 'http://127.0.0.1:3000/api/v1'],
    ['--credentials', 'demo.json'],
    ['--url', 'ftp://127.0.0.1', '--credentials', 'demo.json'],
    ['--only', 'rain'],
    ['--only', 'bodies', '--url', 'http://127.0.0.1:3000/api/v1', '--credentials', 'demo.json'],
    ['--unknown'],
    ['surplus'],
  ])('refuses %s %s', (...args) => {
    expect(() => readOptions(args)).toThrow(UsageError);
  });
});

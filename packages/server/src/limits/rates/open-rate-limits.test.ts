import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Opens rate limits in a process of its own, and prints whether @redis/client was loaded. */
const program = `
  import { createRequire } from 'node:module';
  import { openRateLimits } from '${new URL('../../../dist/limits/rates/open-rate-limits.js', import.meta.url)}';
  const { cache } = createRequire(import.meta.url);
  const isLoaded = () => Object.keys(cache).some((path) => path.includes('@redis'));
  const [redisUrl = null] = process.argv.slice(1);
  const ignore = () => undefined;
  const parts = { enabled: true, workers: 1, onRedisUnavailable: ignore, onRedisRestored: ignore };
  const { close } = openRateLimits({ ...parts, redisUrl });
  const isExpected = () => isLoaded() || redisUrl === null;
  do await new Promise((resolve) => setTimeout(resolve, 10)); while (!isExpected());
  close();
  process.stdout.write(String(isLoaded()), () => process.exit());
`;

it.each([
  ['does not load', 'without', [], 'false'],
  ['loads', 'with', ['redis://127.0.0.1:1'], 'true'],
])('%s the Redis client %s a Redis URL', { tags: ['long'] }, (_verb, _word, args, isLoaded) => {
  const stdout = execFileSync(process.execPath, ['--input-type=module', '--eval', program, ...args]);
  expect(stdout.toString()).toBe(isLoaded);
});

import { expect, it } from 'vitest';
import { CachedValue } from './cached-value.ts';

/** A cached value whose loads end when the test says so. */
function openCache() {
  const clock = { now: 0, isTrusted: true };
  const loads: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const cache = new CachedValue<string>({
    isTrusted: () => clock.isTrusted,
    maxAgeMs: 500,
    now: () => clock.now,
  });
  const get = () => cache.get(() => new Promise((resolve, reject) => loads.push({ resolve, reject })));
  return { clock, loads, cache, get };
}

it('is loaded once for all who ask while it is loaded, and until it is too old', async () => {
  const { clock, loads, get } = openCache();
  const [first, second] = [get(), get()];
  loads[0]?.resolve('a');
  expect([await first, await second, loads.length]).toEqual(['a', 'a', 1]);
  clock.now = 499;
  expect([await get(), loads.length]).toEqual(['a', 1]);
  clock.now = 500;
  const later = get();
  loads[1]?.resolve('b');
  expect([await later, loads.length]).toEqual(['b', 2]);
});

it('has the age of the begin of its load', async () => {
  const { clock, loads, get } = openCache();
  const first = get();
  clock.now = 500;
  loads[0]?.resolve('a');
  await first;
  void get();
  expect(loads).toHaveLength(2);
});

it('reaches only those who wait for it if it is cleared while it is loaded', async () => {
  const { loads, cache, get } = openCache();
  const before = get();
  cache.clear();
  const after = get();
  loads[1]?.resolve('new');
  loads[0]?.resolve('old');
  expect([await before, await after, await get()]).toEqual(['old', 'new', 'new']);
});

it('is loaded again after a failure, also one that a later load has overtaken', async () => {
  const { loads, cache, get } = openCache();
  const failing = get();
  cache.clear();
  const succeeding = get();
  loads[0]?.reject(new Error('unavailable'));
  loads[1]?.resolve('a');
  await expect(failing).rejects.toThrow('unavailable');
  expect([await succeeding, await get(), loads.length]).toEqual(['a', 'a', 2]);

  cache.clear();
  const failed = get();
  loads[2]?.reject(new Error('unavailable'));
  await expect(failed).rejects.toThrow('unavailable');
  void get();
  expect(loads).toHaveLength(4);
});

it('is loaded for each request while the change feed is away', () => {
  const { clock, loads, get } = openCache();
  clock.isTrusted = false;
  void get();
  void get();
  expect(loads).toHaveLength(2);
});

import { describe, expect, it } from 'vitest';
import { sampleLimits as limits } from '../../../test/support/sample-limits.ts';
import { MemoryCounter } from './memory-counter.ts';
import type { Policy } from './policy.ts';

const setUp = (maxCallers?: number) => {
  const clock = { ms: 5000 };
  const counter = new MemoryCounter({ now: () => clock.ms, ...(maxCallers ? { maxCallers } : {}) });
  const admit = (policy: Policy, key: string, tries: number) =>
    Array.from({ length: tries }, () => counter.take(policy, key)).filter(({ isAdmitted }) => isAdmitted)
      .length;
  return { clock, counter, admit };
};

/** A quota that does not divide the window. */
const odd: Policy = { name: 'odd', per: 'address', quota: 7, windowMs: 60_000, intervalMs: 60_000 / 7 };

describe('MemoryCounter', () => {
  it.each([...Object.values(limits), odd])('admits exactly the quota of $name at once', (policy) => {
    const { admit } = setUp();
    expect(admit(policy, 'a', policy.quota * 3)).toBe(policy.quota);
    expect(admit(policy, 'b', 1)).toBe(1);
  });

  it('returns what is left and when the next unit is available', () => {
    const { clock, counter } = setUp();
    expect(counter.take(limits.signIn, 'a')).toEqual({ isAdmitted: true, remaining: 9, waitMs: 6000 });
    clock.ms += 2000;
    expect(counter.take(limits.signIn, 'a')).toEqual({ isAdmitted: true, remaining: 8, waitMs: 4000 });
    for (let more = 0; more < 8; more++) counter.take(limits.signIn, 'a');
    expect(counter.take(limits.signIn, 'a')).toEqual({ isAdmitted: false, remaining: 0, waitMs: 4000 });
    expect(counter.peekRejection(limits.signIn, 'a')).toEqual({
      isAdmitted: false,
      remaining: 0,
      waitMs: 4000,
    });
  });

  it('refills one unit in each interval, exactly after the wait that it returned', () => {
    const { clock, counter, admit } = setUp();
    admit(limits.signIn, 'a', 10);
    const { waitMs } = counter.take(limits.signIn, 'a');
    clock.ms += waitMs - 1;
    expect(admit(limits.signIn, 'a', 5)).toBe(0);
    clock.ms += 1;
    expect(admit(limits.signIn, 'a', 5)).toBe(1);
    clock.ms += 30_000;
    expect(admit(limits.signIn, 'a', 20)).toBe(5);
    clock.ms += 60_000;
    expect(admit(limits.signIn, 'a', 20)).toBe(10);
  });

  it('does not count rejected requests', () => {
    const { clock, admit } = setUp();
    admit(limits.signIn, 'a', 1000);
    clock.ms += 6000;
    expect(admit(limits.signIn, 'a', 5)).toBe(1);
  });

  it('has no window boundary around which the quota could be used twice', () => {
    const { clock, counter } = setUp();
    // Idle until just before a whole minute, then as many requests as possible across it.
    clock.ms = 59_900;
    let count = 0;
    for (; clock.ms < 60_100; clock.ms += 1) {
      for (let burst = 0; burst < 100; burst++) if (counter.take(limits.credential, 'a').isAdmitted) count++;
    }
    expect(count).toBeLessThanOrEqual(600 + 2);
  });

  it('admits no more than the quota and what has refilled, whatever the rhythm', () => {
    const { clock, counter } = setUp();
    let count = 0;
    let excess = 0;
    const start = clock.ms;
    for (let step = 1; step < 20_000; step++) {
      clock.ms += (step * 7919) % 23;
      if (counter.take(limits.credential, 'a').isAdmitted) count++;
      excess = Math.max(excess, count - 600 - (clock.ms - start) / 100);
    }
    expect(excess).toBe(0);
    // Everything that refills can be used.
    expect(count).toBeGreaterThanOrEqual(600 + Math.floor((clock.ms - start) / 100) - 1);
  });

  it('peeks without counting', () => {
    const { counter, admit } = setUp();
    for (let look = 0; look < 100; look++) expect(counter.peekRejection(limits.failure, 'a')).toBeNull();
    expect(counter.size).toBe(0);
    expect(admit(limits.failure, 'a', 100)).toBe(30);
    expect(counter.peekRejection(limits.failure, 'a')).toMatchObject({ isAdmitted: false, waitMs: 2000 });
  });

  it('keeps to its limit under a flood of keys, and evicts those that were idle for longest', () => {
    const { clock, counter, admit } = setUp(1000);
    let largest = 0;
    admit(limits.address, 'regular', 300);
    for (let key = 0; key < 1_000_000; key++) {
      clock.ms += 0.001;
      counter.take(limits.address, `flood ${key}`);
      if (key % 100 === 0) counter.take(limits.address, 'regular');
      largest = Math.max(largest, counter.size);
    }
    expect(largest).toBeLessThanOrEqual(1000);
    // A second has passed: five units have refilled, and all but possibly the last were used during the flood.
    expect(admit(limits.address, 'regular', 300)).toBeLessThanOrEqual(1);
  });

  it('evicts no credential under a flood of addresses', () => {
    const { counter, admit } = setUp(10);
    admit(limits.credential, 'a', 600);
    for (let key = 0; key < 1000; key++) counter.take(limits.address, `flood ${key}`);
    expect(admit(limits.credential, 'a', 10)).toBe(0);
  });

  it('is empty after two windows without requests', () => {
    const { clock, counter } = setUp();
    for (let key = 0; key < 1000; key++) counter.take(limits.address, `key ${key}`);
    clock.ms += 120_000;
    counter.take(limits.address, 'a');
    expect(counter.size).toBe(1);
  });
});

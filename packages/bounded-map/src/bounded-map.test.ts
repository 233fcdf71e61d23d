import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

describe('BoundedMap', () => {
  it('returns the value that was set last, until it is deleted or the map is cleared', () => {
    const map = new BoundedMap<number>(10);
    map.set('a', 1);
    map.set('a', 2);
    map.set('b', 3);
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([2, 3, undefined, 2]);
    map.delete('a');
    expect([map.get('a'), map.size]).toEqual([undefined, 1]);
    map.clear();
    expect([map.get('b'), map.size]).toEqual([undefined, 0]);
  });

  it('keeps an entry that is read regularly, however many others are added', () => {
    const map = new BoundedMap<number>(10);
    map.set('wanted', 1);
    for (let n = 0; n < 1_000; n++) {
      map.set(`other ${n}`, n);
      expect(map.get('wanted')).toBe(1);
    }
  });

  const step = fc.record({
    kind: fc.constantFrom('get', 'set', 'delete'),
    key: fc.nat({ max: 30 }),
    value: fc.nat(),
  });

  it('never exceeds its limit, keeps the most recently used half, and never returns a stale value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
        const map = new BoundedMap<number>(limit);
        const truth = new Map<string, number>();
        // Least recently used first.
        let used: string[] = [];
        for (const { kind, key, value } of steps) {
          const name = `${key}`;
          if (kind === 'set') {
            map.set(name, value);
            truth.set(name, value);
          }
          if (kind === 'delete') {
            map.delete(name);
            truth.delete(name);
          }
          const found = map.get(name);
          if (found !== undefined) expect(found).toBe(truth.get(name));
          used = used.filter((other) => other !== name);
          if (found !== undefined) used.push(name);
          expect(map.size).toBeLessThanOrEqual(limit);
          const values = [...map.values()].sort();
          expect(values).toHaveLength(map.size);
          for (const held of values) expect([...truth.values()]).toContain(held);
        }
        for (const name of used.slice(-Math.floor(limit / 2))) expect(map.get(name)).toBe(truth.get(name));
      }),
    );
  });

  it('drops entries that are idle for twice the idle time, and none that is used within it', () => {
    const clock = { ms: 5_000 };
    const map = new BoundedMap<number>(1_000, { maxIdleMs: 100, now: () => clock.ms });
    for (let n = 0; n < 100; n++) map.set(`idle ${n}`, n);
    map.set('used', 1);
    for (; clock.ms < 6_000; clock.ms += 99) expect(map.get('used')).toBe(1);
    expect(map.size).toBe(1);
    clock.ms += 200;
    expect([map.get('used'), map.size]).toEqual([undefined, 0]);
  });

  it('counts setting an entry as use', () => {
    const clock = { ms: 0 };
    const map = new BoundedMap<number>(10, { maxIdleMs: 100, now: () => clock.ms });
    for (; clock.ms < 1_000; clock.ms += 99) map.set('a', clock.ms);
    expect(map.get('a')).toBe(990);
  });
});

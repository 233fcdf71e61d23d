import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

it('gives what was set last, until it is deleted or all is cleared', () => {
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

it('keeps what is asked for again and again, whatever else comes', () => {
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

it('never holds more than its limit, forgets none of the last half, and never gives anything old', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 12 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
      const map = new BoundedMap<number>(limit);
      const truth = new Map<string, number>();
      // The one that was used last is the last one.
      let used: string[] = [];
      for (const { kind, key, value } of steps) {
        const name = `${key}`;
        if (kind === 'delete') map.delete(name);
        if (kind === 'set') map.set(name, value);
        if (kind === 'delete') truth.delete(name);
        if (kind === 'set') truth.set(name, value);
        const found = map.get(name);
        if (found !== undefined) expect(found).toBe(truth.get(name));
        used = used.filter((other) => other !== name);
        if (found !== undefined) used.push(name);
        expect(map.size).toBeLessThanOrEqual(limit);
      }
      // A place that was taken by something deleted is free only when the maps change turns.
      if (steps.some(({ kind }) => kind === 'delete')) return;
      for (const name of used.slice(-Math.floor(limit / 2))) expect(map.get(name)).toBe(truth.get(name));
    }),
  );
});

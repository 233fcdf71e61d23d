import { describe, expect, it } from 'vitest';
import { createRandom, uuidV7 } from './random.ts';

describe('createRandom', () => {
  it('repeats itself for the same seed and not for another', () => {
    const draw = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 50 }, () => random.next());
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it('stays within the range, ends included, and spreads over it', () => {
    const random = createRandom(3);
    const counts = new Map<number, number>();
    for (let draw = 0; draw < 6000; draw++) {
      const value = random.integer(1, 6);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it('picks by weight, never what weighs nothing', () => {
    const random = createRandom(4);
    const picks = Array.from({ length: 1000 }, () =>
      random.pickWeighted(['never', 'seldom', 'often'], (word) =>
        word === 'never' ? 0 : word === 'often' ? 9 : 1,
      ),
    );
    expect(picks).not.toContain('never');
    expect(picks.filter((pick) => pick === 'often').length).toBeGreaterThan(800);
  });

  it('shuffles without losing anything', () => {
    const random = createRandom(5);
    const items = Array.from({ length: 40 }, (_, index) => index);
    const shuffled = random.shuffle(items);
    expect(shuffled).not.toEqual(items);
    expect([...shuffled].sort((one, other) => one - other)).toEqual(items);
  });

  it('rejects to pick from nothing', () => {
    expect(() => createRandom(6).pick([])).toThrow(RangeError);
  });
});

describe('uuidV7', () => {
  it('carries its version, its variant and its time', () => {
    const time = Date.UTC(2026, 10, 15, 9, 30);
    const random = createRandom(7);
    for (let made = 0; made < 100; made++) {
      const uuid = uuidV7(random, time);
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(time);
    }
  });
});

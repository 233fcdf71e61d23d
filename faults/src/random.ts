/** Returns random numbers for a trial. The same seed gives the same numbers (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  const below = (bound: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('There is nothing to pick from');
      return item;
    },
  };
}

export interface Random {
  /** A whole number from 0 up to, but not including, `bound`. */
  below(bound: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

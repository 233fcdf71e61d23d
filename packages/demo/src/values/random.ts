/** A seeded pseudorandom generator. Not for secrets. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer; both ends are inclusive. */
  integer(lowest: number, highest: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Picks an item with a probability proportional to its weight. */
  pickWeighted<Item>(items: readonly Item[], weigh: (item: Item) => number): Item;
  shuffle<Item>(items: readonly Item[]): Item[];
  bytes(length: number): Uint8Array;
}

/** Creates an sfc32 generator whose state comes from the seed. */
export function createRandom(seed: number): Random {
  const fill = splitMix32(seed);
  let a = fill();
  let b = fill();
  let c = fill();
  let counter = 1;

  function nextInteger(): number {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  function next(): number {
    return nextInteger() / 2 ** 32;
  }

  function integer(lowest: number, highest: number): number {
    return lowest + Math.floor(next() * (highest - lowest + 1));
  }

  function pick<Item>(items: readonly Item[]): Item {
    return at(items, integer(0, items.length - 1));
  }

  function pickWeighted<Item>(items: readonly Item[], weigh: (item: Item) => number): Item {
    let left = next() * items.reduce((sum, item) => sum + weigh(item), 0);
    for (const item of items) {
      left -= weigh(item);
      if (left < 0) return item;
    }
    // Reached only through rounding errors.
    return at(items, items.length - 1);
  }

  function shuffle<Item>(items: readonly Item[]): Item[] {
    const left = [...items];
    const shuffled: Item[] = [];
    while (left.length > 0) shuffled.push(...left.splice(integer(0, left.length - 1), 1));
    return shuffled;
  }

  // Discard the first values, which are correlated for similar seeds.
  for (let round = 0; round < 12; round++) nextInteger();

  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick,
    pickWeighted,
    shuffle,
    bytes: (length) => Uint8Array.from({ length }, () => integer(0, 255)),
  };
}

/** Makes a UUID version 7 (RFC 9562) from a time and random bits. */
export function uuidV7(random: Random, timeMs: number): string {
  const bytes = random.bytes(10);
  bytes[0] = ((bytes[0] ?? 0) & 0x0f) | 0x70;
  bytes[2] = ((bytes[2] ?? 0) & 0x3f) | 0x80;
  const hex = timeMs.toString(16).padStart(12, '0') + toHex(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError('There is nothing to pick from');
  return item;
}

function splitMix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
}

interface BoundedMapOptions {
  /** An entry that nobody reads or sets for this long may be dropped, and is dropped after twice as long. */
  readonly maxIdleMs?: number;
  readonly now?: () => number;
}

/**
 * A map with at most `limit` entries that keeps at least the half of them that was used most recently. There are two
 * generations: when the younger one reaches half of the limit, or its time is over, it replaces the older one, and
 * everything that was not used in the meantime is dropped at once. An LRU list would be more precise and slower: a
 * JavaScript map pays for every removal from its beginning.
 */
export class BoundedMap<Value> {
  readonly #generationLimit: number;
  readonly #maxIdleMs: number;
  readonly #now: () => number;
  #younger = new Map<string, Value>();
  #older = new Map<string, Value>();
  #rotatesAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    limit: number,
    { maxIdleMs = Number.POSITIVE_INFINITY, now = () => performance.now() }: BoundedMapOptions = {},
  ) {
    this.#generationLimit = Math.max(1, Math.floor(limit / 2));
    this.#maxIdleMs = maxIdleMs;
    this.#now = now;
  }

  get size(): number {
    return this.#younger.size + this.#older.size;
  }

  get(key: string): Value | undefined {
    this.#dropIdle();
    const value = this.#younger.get(key);
    if (value !== undefined) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.#add(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    this.#dropIdle();
    if (this.#younger.has(key)) this.#younger.set(key, value);
    else this.#add(key, value);
  }

  delete(key: string): void {
    this.#younger.delete(key);
    this.#older.delete(key);
  }

  clear(): void {
    this.#younger.clear();
    this.#older.clear();
  }

  *values(): Generator<Value> {
    yield* this.#older.values();
    yield* this.#younger.values();
  }

  /** Adds a key to the younger generation. A key is never in both. */
  #add(key: string, value: Value): void {
    this.#older.delete(key);
    if (this.#younger.size >= this.#generationLimit) this.#rotate(this.#younger);
    this.#younger.set(key, value);
  }

  #dropIdle(): void {
    if (this.#maxIdleMs === Number.POSITIVE_INFINITY) return;
    const nowMs = this.#now();
    if (nowMs < this.#rotatesAtMs) return;
    const isYoungerIdle = nowMs >= this.#rotatesAtMs + this.#maxIdleMs;
    this.#rotate(isYoungerIdle ? new Map() : this.#younger);
    this.#rotatesAtMs = nowMs + this.#maxIdleMs;
  }

  #rotate(older: Map<string, Value>): void {
    this.#older = older;
    this.#younger = new Map();
  }
}

/**
 * A map that holds at most `limit` entries, and keeps at least the half of them that was used last. Two maps take turns:
 * when the younger is half of the whole, the older is dropped with all that nobody asked for meanwhile. To drop one
 * entry at a time would be finer, and slow: a JavaScript map pays for each removal from its beginning.
 */
export class BoundedMap<Value> {
  readonly #half: number;
  #younger = new Map<string, Value>();
  #older = new Map<string, Value>();

  constructor(limit: number) {
    this.#half = Math.max(1, Math.floor(limit / 2));
  }

  get size(): number {
    let size = this.#younger.size;
    for (const key of this.#older.keys()) if (!this.#younger.has(key)) size++;
    return size;
  }

  get(key: string): Value | undefined {
    const value = this.#younger.get(key);
    if (value !== undefined) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    this.#younger.set(key, value);
    if (this.#younger.size < this.#half) return;
    this.#older = this.#younger;
    this.#younger = new Map();
  }

  delete(key: string): void {
    this.#younger.delete(key);
    this.#older.delete(key);
  }

  clear(): void {
    this.#younger.clear();
    this.#older.clear();
  }
}

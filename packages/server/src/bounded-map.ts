/** A map that holds at most `limit` entries and drops the one that was not used for the longest time. */
export class BoundedMap<Value> {
  readonly #limit: number;
  readonly #onDrop: (key: string, value: Value) => void;
  readonly #entries = new Map<string, Value>();

  constructor(limit: number, onDrop: (key: string, value: Value) => void = () => {}) {
    this.#limit = limit;
    this.#onDrop = onDrop;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    // A map keeps the order in which its keys were set.
    if (value !== undefined && this.#entries.delete(key)) this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    for (const [oldest, dropped] of this.#entries) {
      this.#entries.delete(oldest);
      this.#onDrop(oldest, dropped);
      break;
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}

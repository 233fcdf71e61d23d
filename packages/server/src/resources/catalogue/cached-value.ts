interface CachedValueOptions {
  /** Whether the change feed is connected. While it is not, every request loads the value. */
  readonly isTrusted: () => boolean;
  readonly maxAgeMs: number;
  readonly now?: () => number;
}

/** A value that requests share until it is cleared or too old. Requests that come while it is loaded wait for the same load. */
export class CachedValue<Value> {
  readonly #options: CachedValueOptions;
  #entry: { readonly loadedAt: number; readonly pending: Promise<Value> } | null = null;

  constructor(options: CachedValueOptions) {
    this.#options = options;
  }

  get(load: () => Promise<Value>): Promise<Value> {
    const { isTrusted, maxAgeMs, now = performance.now.bind(performance) } = this.#options;
    if (this.#entry && isTrusted() && now() - this.#entry.loadedAt < maxAgeMs) return this.#entry.pending;
    const entry = { loadedAt: now(), pending: load() };
    this.#entry = entry;
    entry.pending.catch(() => {
      if (this.#entry === entry) this.clear();
    });
    return entry.pending;
  }

  /** A value that is being loaded then reaches only those who wait for it already. */
  clear(): void {
    this.#entry = null;
  }
}

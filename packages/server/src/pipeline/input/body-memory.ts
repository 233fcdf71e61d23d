interface BodyMemoryOptions {
  /** What the bodies of one owner may hold. */
  readonly maxBytesPerOwner: number;
  /** What all bodies may hold. */
  readonly maxBytes: number;
}

/** The memory of one body. */
export interface BodyLease {
  /** Takes this many bytes more. Returns false if there is no room for them. */
  grow(bytes: number): boolean;
  /** Gives everything back. */
  release(): void;
}

const mebibyte = 1024 * 1024;

/** 16 bodies of the largest size for each owner, and eight such owners. */
const defaults: BodyMemoryOptions = { maxBytesPerOwner: 16 * mebibyte, maxBytes: 128 * mebibyte };

/**
 * Bounds the memory of request bodies. A body arrives before its signature can be verified, so anybody who can send
 * headers that look valid could otherwise fill the memory with bodies.
 */
export class BodyMemory {
  readonly #options: BodyMemoryOptions;
  readonly #bytesByOwner = new Map<string, number>();
  #bytes = 0;

  constructor(options: Partial<BodyMemoryOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  /** What all bodies hold now. */
  get bytes(): number {
    return this.#bytes;
  }

  lease(owner: string): BodyLease {
    let leased = 0;
    return {
      grow: (bytes) => {
        const owned = (this.#bytesByOwner.get(owner) ?? 0) + bytes;
        if (owned > this.#options.maxBytesPerOwner || this.#bytes + bytes > this.#options.maxBytes)
          return false;
        leased += bytes;
        this.#bytes += bytes;
        this.#bytesByOwner.set(owner, owned);
        return true;
      },
      release: () => {
        const rest = (this.#bytesByOwner.get(owner) ?? 0) - leased;
        if (rest > 0) this.#bytesByOwner.set(owner, rest);
        else this.#bytesByOwner.delete(owner);
        this.#bytes -= leased;
        leased = 0;
      },
    };
  }
}

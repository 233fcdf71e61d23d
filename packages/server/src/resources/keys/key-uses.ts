/** Collects the last use of each key, so that requests never wait for this write. */
export class KeyUses {
  /** In milliseconds: cheaper to record than a Date. */
  #uses = new Map<string, number>();
  readonly #write: (uses: ReadonlyMap<string, number>) => Promise<void>;

  constructor(write: (uses: ReadonlyMap<string, number>) => Promise<void>) {
    this.#write = write;
  }

  note(keyId: string): void {
    this.#uses.set(keyId, Date.now());
  }

  /** Writes the collected uses. After a failure they stay for the next flush. */
  async flush(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = this.#uses;
    this.#uses = new Map();
    try {
      await this.#write(uses);
    } catch (error) {
      this.#uses = new Map([...uses, ...this.#uses]);
      throw error;
    }
  }
}

/** Collects when keys were used, to be written in batches and never by a request. */
export class KeyUses {
  /** In milliseconds, since a number costs less to note than a date. */
  #uses = new Map<string, number>();
  readonly #write: (uses: ReadonlyMap<string, number>) => Promise<void>;

  constructor(write: (uses: ReadonlyMap<string, number>) => Promise<void>) {
    this.#write = write;
  }

  note(keyId: string): void {
    this.#uses.set(keyId, Date.now());
  }

  /** Writes what has come together. What could not be written stays for the next time. */
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

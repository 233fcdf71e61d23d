import { BoundedMap } from '@keyfront/bounded-map';
import type { KeyHolder } from './signature-form.ts';

interface ApiKeyCacheOptions {
  readonly find: (fingerprint: string) => Promise<KeyHolder | null>;
  /** Whether every revocation is sure to be noticed; see database/change-feed.ts. */
  readonly isTrusted: () => boolean;
  readonly limit?: number;
}

const defaultLimit = 50_000;

/** Caches the holders of valid API keys while every revocation is sure to be noticed. */
export class ApiKeyCache {
  readonly #options: ApiKeyCacheOptions;
  readonly #holders: BoundedMap<KeyHolder>;
  /** Keys that were valid when they were last read. A change of other keys says nothing about them, so they are kept. */
  readonly #known: BoundedMap<true>;
  #generation = 0;

  constructor(options: ApiKeyCacheOptions) {
    this.#options = options;
    this.#holders = new BoundedMap(options.limit ?? defaultLimit);
    this.#known = new BoundedMap(options.limit ?? defaultLimit);
  }

  /** The holder of a key; null if the key is unknown or revoked. */
  find(fingerprint: string): KeyHolder | Promise<KeyHolder | null> {
    return this.findCached(fingerprint) ?? this.read(fingerprint);
  }

  /** The holder of a key, if it is cached. */
  findCached(fingerprint: string): KeyHolder | undefined {
    return this.#options.isTrusted() ? this.#holders.get(fingerprint) : undefined;
  }

  /** Whether the key was valid when it was last read. It may have been revoked since, so this authenticates nobody. */
  isKnown(fingerprint: string): boolean {
    return this.#known.get(fingerprint) !== undefined;
  }

  /** Asks the database for the holder of a key; null if the key is unknown or revoked. */
  async read(fingerprint: string): Promise<KeyHolder | null> {
    const generation = this.#generation;
    const holder = await this.#options.find(fingerprint);
    if (holder) this.#known.set(fingerprint, true);
    else this.#known.delete(fingerprint);
    // A result from before a change must not be cached after it.
    if (holder && generation === this.#generation) this.#holders.set(fingerprint, holder);
    return holder;
  }

  clear(): void {
    this.#generation++;
    this.#holders.clear();
  }
}

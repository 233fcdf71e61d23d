import { BoundedMap } from '../bounded-map.ts';
import type { KeyHolder } from './create-guard.ts';

interface ApiKeyCacheOptions {
  readonly find: (fingerprint: string) => Promise<KeyHolder | null>;
  /** Whether what is remembered still holds: see database/change-feed.ts. */
  readonly isTrusted: () => boolean;
  readonly limit?: number;
}

const defaultLimit = 50_000;

/** Remembers whom live keys act for, for as long as every revocation is sure to be heard of. */
export class ApiKeyCache {
  readonly #options: ApiKeyCacheOptions;
  readonly #owners: BoundedMap<KeyHolder>;
  #generation = 0;

  constructor(options: ApiKeyCacheOptions) {
    this.#options = options;
    this.#owners = new BoundedMap(options.limit ?? defaultLimit);
  }

  /** Whom the key acts for, or null when it is unknown or revoked. */
  find(fingerprint: string): KeyHolder | Promise<KeyHolder | null> {
    const known = this.#options.isTrusted() ? this.#owners.get(fingerprint) : undefined;
    return known ?? this.#read(fingerprint);
  }

  async #read(fingerprint: string): Promise<KeyHolder | null> {
    const generation = this.#generation;
    const owner = await this.#options.find(fingerprint);
    // What was read before something changed must not be remembered after it.
    if (owner && generation === this.#generation) this.#owners.set(fingerprint, owner);
    return owner;
  }

  forgetAll(): void {
    this.#generation++;
    this.#owners.clear();
  }
}

import { BoundedMap } from '@keyfront/bounded-map';

interface SessionCacheOptions {
  /** Asks the database whether a session lives. */
  readonly isLive: (sessionId: string) => Promise<boolean>;
  /** Whether every end of a session is sure to be noticed; see database/change-feed.ts. */
  readonly isTrusted: () => boolean;
  readonly limit?: number;
}

const defaultLimit = 50_000;

/** Caches which sessions live while every end of one is sure to be noticed, and which have ended: those never come back. */
export class SessionCache {
  readonly #options: SessionCacheOptions;
  readonly #live: BoundedMap<true>;
  readonly #ended: BoundedMap<true>;
  #generation = 0;

  constructor(options: SessionCacheOptions) {
    this.#options = options;
    this.#live = new BoundedMap(options.limit ?? defaultLimit);
    this.#ended = new BoundedMap(options.limit ?? defaultLimit);
  }

  /** Whether a session lives. The token of the session must have been verified, or anybody could fill the cache. */
  isLive(sessionId: string): boolean | Promise<boolean> {
    if (this.#ended.get(sessionId)) return false;
    if (this.#options.isTrusted() && this.#live.get(sessionId)) return true;
    return this.#read(sessionId);
  }

  async #read(sessionId: string): Promise<boolean> {
    const generation = this.#generation;
    const isLive = await this.#options.isLive(sessionId);
    if (!isLive) this.#ended.set(sessionId, true);
    // A result from before a change must not be cached after it.
    else if (generation === this.#generation) this.#live.set(sessionId, true);
    return isLive;
  }

  /** Some session has ended. */
  clear(): void {
    this.#generation++;
    this.#live.clear();
  }
}

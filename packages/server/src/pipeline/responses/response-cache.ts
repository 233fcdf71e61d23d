import { BoundedMap } from '@keyfront/bounded-map';

interface ResponseCacheOptions {
  /** Whether the change feed is connected. While it is not, nothing is served from the cache. */
  readonly isTrusted: () => boolean;
  /** For responses with data whose changes are not announced. */
  readonly maxAgeMs?: number;
  readonly now?: () => number;
}

interface CacheEntry {
  readonly createdAt: number;
  readonly pending: Promise<string>;
  body: string | null;
}

// Together these bound the memory: 32 MB, or twice that if characters need two bytes.
const maxResponses = 256;
const maxResponseLength = 128 * 1024;

/** Enough for the URLs that clients really use; made-up ones replace each other. */
const maxUrls = 1_024;
const maxUrlLength = 256;

/** Responses that are the same for every caller. They are strings because Node sends head and string body in one write. */
export class ResponseCache {
  readonly #options: ResponseCacheOptions;
  readonly #responses = new BoundedMap<CacheEntry>(maxResponses);
  /** Names of responses by URL, so that a URL is parsed and validated once. */
  readonly #namesByUrl = new BoundedMap<string>(maxUrls);

  constructor(options: ResponseCacheOptions) {
    this.#options = options;
  }

  /** The cached response to a URL that was requested before, if there is one. */
  find(url: string): string | undefined {
    const name = this.#namesByUrl.get(url);
    return name === undefined ? undefined : (this.#findEntry(name)?.body ?? undefined);
  }

  /**
   * Returns the response with this name, whichever URL asked for it. Concurrent requests for a response that is not cached
   * share one call of `create`.
   */
  getOrCreate(url: string, name: string, create: () => Promise<string>): Promise<string> {
    if (url.length <= maxUrlLength) this.#namesByUrl.set(url, name);
    const found = this.#findEntry(name);
    if (found) return found.pending;
    const entry: CacheEntry = { createdAt: this.#now(), pending: create(), body: null };
    // An entry that is cleared while it is pending has left the map, so only earlier requests receive it.
    this.#responses.set(name, entry);
    entry.pending.then(
      (body) => {
        entry.body = body;
        if (body.length > maxResponseLength) this.#remove(name, entry);
      },
      () => this.#remove(name, entry),
    );
    return entry.pending;
  }

  clear(): void {
    this.#responses.clear();
  }

  #findEntry(name: string): CacheEntry | undefined {
    if (!this.#options.isTrusted()) return undefined;
    const entry = this.#responses.get(name);
    const { maxAgeMs = Number.POSITIVE_INFINITY } = this.#options;
    return entry && this.#now() - entry.createdAt < maxAgeMs ? entry : undefined;
  }

  #remove(name: string, entry: CacheEntry): void {
    if (this.#responses.get(name) === entry) this.#responses.delete(name);
  }

  #now(): number {
    return (this.#options.now ?? performance.now.bind(performance))();
  }
}

import { ResponseCache } from '../pipeline/response-cache.ts';

interface CatalogueCacheOptions {
  /** Whether every change of the catalogue is sure to be heard of. */
  readonly isTrusted: () => boolean;
  readonly now?: () => number;
}

/** How long a process may show stock that an order in another process has taken. */
const longestStockAgeMs = 1_000;

/** The answers of the catalogue, which are the same for every caller. */
export class CatalogueCache {
  readonly planets: ResponseCache;
  /** Orders do not announce the stock they take: each would wait for the others. So these grow old by themselves too. */
  readonly strains: ResponseCache;

  constructor(options: CatalogueCacheOptions) {
    this.planets = new ResponseCache(options);
    this.strains = new ResponseCache({ ...options, longestAgeMs: longestStockAgeMs });
  }

  /** After a change of the catalogue: strains name their planet, so that all of it goes. */
  forgetAll(): void {
    this.planets.forgetAll();
    this.strains.forgetAll();
  }

  /** After stock was taken or given back. */
  forgetStock(): void {
    this.strains.forgetAll();
  }
}

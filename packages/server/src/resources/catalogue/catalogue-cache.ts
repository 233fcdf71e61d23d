import { ResponseCache } from '../../pipeline/responses/response-cache.ts';
import type { CatalogueStrain } from '../strains/select-strains.ts';
import { CachedValue } from './cached-value.ts';

interface CatalogueCacheOptions {
  /** Whether the change feed is connected. */
  readonly isTrusted: () => boolean;
  readonly now?: () => number;
}

/**
 * How long a process may show stock that an order in another process has taken: one second, half of it in the list of all
 * strains, and half in a response that was made from it.
 */
const maxStockAgeMs = 500;
/** How long a process may show a listing that another process or the chain reader has ended. */
const maxListingAgeMs = 1_000;

/** Cached responses of the catalogue and the marketplace listings, which are the same for every caller. */
export class CatalogueCache {
  readonly planets: ResponseCache;
  readonly deliveryCharges: ResponseCache;
  /** Orders do not announce the stock they take, since they would wait for each other. So these entries also expire. */
  readonly strains: ResponseCache;
  /** All strains by name. Every list is made from them, whatever its filters. */
  readonly allStrains: CachedValue<readonly CatalogueStrain[]>;
  /** Sales do not announce their changes. */
  readonly listings: ResponseCache;

  constructor(options: CatalogueCacheOptions) {
    this.planets = new ResponseCache(options);
    this.deliveryCharges = new ResponseCache(options);
    this.strains = new ResponseCache({ ...options, maxAgeMs: maxStockAgeMs });
    this.allStrains = new CachedValue({ ...options, maxAgeMs: maxStockAgeMs });
    this.listings = new ResponseCache({ ...options, maxAgeMs: maxListingAgeMs });
  }

  /** Call it after a change of the catalogue. Strains and listings contain the name of their planet, so everything goes. */
  clear(): void {
    this.planets.clear();
    this.deliveryCharges.clear();
    this.clearStock();
    this.listings.clear();
  }

  /** Call it after a change of the stock. */
  clearStock(): void {
    this.strains.clear();
    this.allStrains.clear();
  }
}

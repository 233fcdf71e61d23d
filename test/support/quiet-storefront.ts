import { ChangeFeed } from '../../packages/server/src/database/change-feed.ts';
import { CatalogueCache } from '../../packages/server/src/resources/catalogue-cache.ts';
import { openCallers, type Storefront, startStorefrontService } from './storefront.ts';

/** Receives no changes, and always trusts the caches. */
class SilentFeed extends ChangeFeed {
  override get isTrusted(): boolean {
    return true;
  }

  override async start(): Promise<void> {}
}

/**
 * Callers on a service of their own, for which time stands still: what it remembers, and what it asks its database,
 * follows from their requests alone.
 */
export async function openQuietStorefront(): Promise<Storefront> {
  const catalogueCache = new CatalogueCache({ isTrusted: () => true, now: () => 0 });
  return openCallers(await startStorefrontService((url) => new SilentFeed({ url }), { catalogueCache }));
}

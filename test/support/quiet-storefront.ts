import { ChangeFeed } from '../../packages/server/src/database/coordination/change-feed.ts';
import { CatalogueCache } from '../../packages/server/src/resources/catalogue/catalogue-cache.ts';
import {
  openCallers,
  type Storefront,
  type StorefrontService,
  startStorefrontService,
} from './storefront.ts';

/** Receives no changes, and always trusts the caches. */
class SilentFeed extends ChangeFeed {
  override get isTrusted(): boolean {
    return true;
  }

  override async start(): Promise<void> {}
}

export interface QuietStorefront extends Storefront, Pick<StorefrontService, 'countVerifications'> {}

/**
 * Callers on a sandbox of their own, which has all operations, and for which time stands still: what it remembers, and what it asks its database,
 * follows from their requests alone.
 */
export async function openQuietStorefront(): Promise<QuietStorefront> {
  const catalogueCache = new CatalogueCache({ isTrusted: () => true, now: () => 0 });
  const started = await startStorefrontService((url) => new SilentFeed({ url }), {
    catalogueCache,
    sandbox: true,
  });
  return { ...(await openCallers(started)), countVerifications: started.countVerifications };
}

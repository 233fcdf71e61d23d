import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { CatalogueCache } from '../../resources/catalogue/catalogue-cache.ts';
import type { ImageUrls } from '../../resources/images/image-urls.ts';
import type { Marketplace } from '../../resources/nft-sales/typed-data.ts';
import type { ProviderLinks } from '../../resources/providers/provider-links.ts';

/**
 * What all areas of the app share. An area adds the routes of some nouns. It is a function and no plugin of Fastify: nothing in it is
 * encapsulated or asynchronous, and an error of the start has the line of the area in its stack.
 */
export interface Area {
  readonly app: FastifyInstance;
  readonly router: OperationRouter;
  readonly registry: Registry;
  readonly database: Database;
  readonly catalogueCache: CatalogueCache;
  /** The base address as callers reach it. Known once the app listens. */
  readonly baseUrl: () => string;
  readonly imageUrls: ImageUrls;
  readonly kycLinks: ProviderLinks;
  readonly marketplace: Marketplace;
  /** Whether the database holds the demo. */
  readonly isDemo: boolean;
  /** Whether holders act for administrators and providers. */
  readonly isSandbox: boolean;
  /** Registers what ends when the app closes. */
  readonly onStop: (stop: () => Promise<void>) => void;
}

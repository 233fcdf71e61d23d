import { zeroAddress } from '@keyfront/evm';
import { operationsOf } from '@keyfront/protocol';
import type { FastifyInstance } from 'fastify';
import type { Guard } from '../auth/guard.ts';
import type { Database } from '../database/database.ts';
import { baseUrlOf } from '../http/base-url.ts';
import { defaultTimeouts } from '../http/server-options.ts';
import { type ConcurrencyLimits, createConcurrencyLimits } from '../limits/concurrency/concurrency-limits.ts';
import { addConcurrencyMetrics } from '../limits/concurrency/concurrency-metrics.ts';
import type { ResponseCipher } from '../pipeline/idempotency/response-cipher.ts';
import { OperationRouter } from '../pipeline/operation-router.ts';
import { UnreadResponses } from '../pipeline/responses/unread-responses.ts';
import type { CatalogueCache } from '../resources/catalogue/catalogue-cache.ts';
import { ImageUrls } from '../resources/images/image-urls.ts';
import { createProviderLinks } from '../resources/providers/provider-links.ts';
import type { Area } from './areas/area.ts';
import { addCatalogue, type CatalogueDependencies } from './areas/catalogue-area.ts';
import { addClientPrograms } from './areas/client-program-area.ts';
import { addCommerce, type CommerceDependencies } from './areas/commerce-area.ts';
import { addConsole, type ConsoleDependencies } from './areas/console-area.ts';
import { addEvents, type EventDependencies } from './areas/event-area.ts';
import { addIdentity, type IdentityDependencies } from './areas/identity-area.ts';
import { addMarketplace } from './areas/marketplace-area.ts';
import { addOperator, type OperatorDependencies } from './areas/operator-area.ts';
import { createListener, type ListenerDependencies } from './listener.ts';
import { routeAliases } from './route-aliases.ts';
import { readServiceVersion } from './service-version.ts';

interface SharedDependencies {
  readonly database: Database;
  readonly guard: Guard;
  readonly responseCipher: ResponseCipher;
  readonly catalogueCache: CatalogueCache;
  /** The base address as callers reach it; null: the address that is listened on. */
  readonly publicUrl: string | null;
  /** Whether the database holds the demo. The default is that it does not. */
  readonly isDemo?: boolean;
  /** Whether the service is a sandbox. The default is that it is not. */
  readonly sandbox?: boolean;
  readonly unreadResponses?: UnreadResponses;
  readonly concurrencyLimits?: Partial<ConcurrencyLimits>;
}

/** What the app and its areas need. Each area says why. */
export type AppDependencies = SharedDependencies &
  ListenerDependencies &
  OperatorDependencies &
  IdentityDependencies &
  CatalogueDependencies &
  Omit<CommerceDependencies, 'paymentLinks'> &
  EventDependencies &
  ConsoleDependencies;

/** Builds the whole service: a listener, and the routes of each area. Never listens, so that a test can hold one. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { database, catalogueCache, providers, isDemo = false, sandbox: isSandbox = false } = dependencies;
  const { registry } = dependencies.metrics;
  const { app, securityLog, drainer, onStop } = await createListener(dependencies);
  const baseUrl = trackBaseUrl(app, dependencies.publicUrl);
  const origin = () => new URL(baseUrl()).origin;
  const imageUrls = new ImageUrls(baseUrl);
  const concurrencyLimits = { ...createConcurrencyLimits(database), ...dependencies.concurrencyLimits };
  addConcurrencyMetrics(registry, concurrencyLimits);
  const router = new OperationRouter(app, {
    ...dependencies,
    callbackSecrets: { KYC: providers.KYC?.secrets ?? [], PAYMENT: providers.PAYMENT?.secrets ?? [] },
    concurrencyLimits,
    unreadResponses: dependencies.unreadResponses ?? new UnreadResponses(),
    publishUrl: (url) => imageUrls.publish(url),
    stallTimeoutMs: (dependencies.timeouts ?? defaultTimeouts).stallMs,
    securityLog,
    routeAliases,
  });
  const area: Area = {
    ...{ app, router, registry, database, catalogueCache, baseUrl, imageUrls, isDemo, isSandbox, onStop },
    kycLinks: createProviderLinks(providers.KYC, origin),
    marketplace: {
      chainId: dependencies.signIn.chainId,
      contract: dependencies.marketplaceContract ?? zeroAddress,
    },
  };

  addOperator(area, dependencies, drainer);
  addIdentity(area, dependencies);
  addCatalogue(area, dependencies);
  const paymentLinks = createProviderLinks(providers.PAYMENT, origin);
  addCommerce(area, { ...dependencies, paymentLinks });
  addMarketplace(area, dependencies);
  addEvents(area, dependencies);
  await addConsole(area, dependencies);
  addClientPrograms(area, { ...dependencies, version: readServiceVersion() });
  router.verifyComplete(operationsOf(isSandbox));
  return app;
}

/** Returns the base address as callers reach it. */
function trackBaseUrl(app: FastifyInstance, publicUrl: string | null): () => string {
  // Kept, because a server that is closing no longer says where it listened, and still answers.
  let listensAt = '';
  app.addHook('onListen', async () => {
    listensAt = baseUrlOf(app.server);
  });
  return () => publicUrl ?? listensAt;
}

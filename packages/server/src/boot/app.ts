import { findDemoDrawing } from '@keyfront/demo';
import { operationList, type Provider } from '@keyfront/protocol';
import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify';
import type { Guard } from '../auth/guard.ts';
import type { Tokens } from '../auth/tokens.ts';
import { findExplorer } from '../chain/find-explorer.ts';
import { type ChainIdentity, readReaderReport } from '../chain/reader/position-queries.ts';
import { findChain } from '../chain/smart-wallet.ts';
import { zeroAddress } from '../chain/zero-address.ts';
import type { PrimaryWatch } from '../database/connection/primary-watch.ts';
import type { Database } from '../database/database.ts';
import type { Migration } from '../database/migrations/migrations.ts';
import { baseUrlOf } from '../http/base-url.ts';
import { ConnectionDrainer } from '../http/connection-draining.ts';
import { rejectConnect, rejectExpectation } from '../http/connection-errors.ts';
import { limitConnections } from '../http/connection-limit.ts';
import { addConsoleRoutes } from '../http/console/console-routes.ts';
import { allowOrigins, sendPreflight } from '../http/cors.ts';
import { addReferenceRoutes } from '../http/docs/reference-routes.ts';
import { sendError } from '../http/error-responses.ts';
import { fixedHeaders } from '../http/fixed-headers.ts';
import { watchForwardedHeaders } from '../http/forwarded-headers.ts';
import { hasOneHost } from '../http/host-header.ts';
import { takeTurns } from '../http/pipelined-requests.ts';
import { recordResponses } from '../http/request-log.ts';
import { type ClientTimeouts, defaultTimeouts, serverOptions } from '../http/server-options.ts';
import { addHealthRoutes } from '../http/service-routes/health-routes.ts';
import { addMetricsRoute } from '../http/service-routes/metrics-route.ts';
import { addRootRedirect } from '../http/service-routes/root-redirect.ts';
import { traceRequests } from '../http/trace-requests.ts';
import { trackRoutes } from '../http/unknown-route.ts';
import type { DataCipher } from '../lib/encryption/data-cipher.ts';
import { ApiError } from '../lib/errors/api-error.ts';
import { compileNetworks } from '../lib/network/networks.ts';
import { type ConcurrencyLimits, createConcurrencyLimits } from '../limits/concurrency/concurrency-limits.ts';
import { addConcurrencyMetrics } from '../limits/concurrency/concurrency-metrics.ts';
import type { RateLimits } from '../limits/rates/rate-limits.ts';
import type { Metrics } from '../observability/metrics.ts';
import { SecurityLog } from '../observability/security-log.ts';
import { getTracing } from '../observability/tracing.ts';
import { recordRejection } from '../pipeline/handlers/record-rejection.ts';
import type { ResponseCipher } from '../pipeline/idempotency/response-cipher.ts';
import { BodyMemory } from '../pipeline/input/body-memory.ts';
import { delayContinue, readBodies } from '../pipeline/input/request-body.ts';
import { OperationRouter } from '../pipeline/operation-router.ts';
import { UnreadResponses } from '../pipeline/responses/unread-responses.ts';
import { addAuditRoutes } from '../resources/audit/audit-routes.ts';
import { addCartRoutes } from '../resources/carts/cart-routes.ts';
import type { CatalogueCache } from '../resources/catalogue/catalogue-cache.ts';
import { addClientRoutes } from '../resources/clients/client-routes.ts';
import { createMedicalRecords } from '../resources/clients/medical-records.ts';
import { addDashboardRoutes } from '../resources/dashboard/dashboard-routes.ts';
import { addDeliveryChargeRoutes } from '../resources/delivery-charges/delivery-charge-routes.ts';
import { createConsoleAccess } from '../resources/demo/console-access.ts';
import { addDemoProviderRoutes } from '../resources/demo/demo-provider-routes.ts';
import { addDemoWalletRoutes, type DemoWallets } from '../resources/demo/demo-wallet-routes.ts';
import { createEventDescriber } from '../resources/events/describe-events.ts';
import { EventHub } from '../resources/events/event-hub.ts';
import { addEventMetrics } from '../resources/events/event-metrics.ts';
import { addEventRoutes } from '../resources/events/event-routes.ts';
import { readWaitingSeconds } from '../resources/events/event-rules.ts';
import type { StreamDependencies } from '../resources/events/stream-events.ts';
import { addHolderRoutes } from '../resources/holders/holder-routes.ts';
import { addImageRoutes } from '../resources/images/image-routes.ts';
import type { ImageStore } from '../resources/images/image-store.ts';
import { ImageUrls } from '../resources/images/image-urls.ts';
import { serveImages } from '../resources/images/serve-images.ts';
import { addKeyRoutes } from '../resources/keys/key-routes.ts';
import { addKycRoutes } from '../resources/kyc/kyc-routes.ts';
import { addNftSaleRoutes } from '../resources/nft-sales/nft-sale-routes.ts';
import { addOrderRoutes } from '../resources/orders/order-routes.ts';
import { addPaymentRoutes } from '../resources/payments/payment-routes.ts';
import { addPlanetRoutes } from '../resources/planets/planet-routes.ts';
import { createProviderLinks } from '../resources/providers/provider-links.ts';
import type { ProviderSettings } from '../resources/providers/provider-settings.ts';
import { addSaleRoutes } from '../resources/sales/sale-routes.ts';
import { addSessionRoutes } from '../resources/sessions/session-routes.ts';
import { addSignInRoutes, type SignInSettings } from '../resources/sign-in/sign-in-routes.ts';
import { addStrainRoutes } from '../resources/strains/strain-routes.ts';
import { addTransactionRoutes } from '../resources/transactions/transaction-routes.ts';
import { addDeliveryMetrics, ageSecondsOf } from '../resources/webhooks/delivery/delivery-metrics.ts';
import { readBacklog } from '../resources/webhooks/delivery/delivery-rules.ts';
import { type DeliveryTiming, DeliveryWorker } from '../resources/webhooks/delivery/delivery-worker.ts';
import type { DeliveryLimits } from '../resources/webhooks/delivery/open-requests.ts';
import { type ResolveHost, resolveHost } from '../resources/webhooks/resolve-host.ts';
import { addWebhookRoutes } from '../resources/webhooks/webhook-routes.ts';
import { createEventDescribers } from './event-describers.ts';
import { routeAliases } from './route-aliases.ts';

export interface AppDependencies {
  readonly database: Database;
  readonly migrations: readonly Migration[];
  readonly guard: Guard;
  readonly tokens: Tokens;
  /** The clock of the database, for messages that wallets sign. The default is that of this machine. */
  readonly databaseNow?: () => number;
  readonly limits: RateLimits;
  readonly responseCipher: ResponseCipher;
  /** Encrypts medical records. Null: they are refused. */
  readonly dataCipher: DataCipher | null;
  readonly catalogueCache: CatalogueCache;
  /** Where uploaded images are. Null: none can be uploaded. */
  readonly imageStore: ImageStore | null;
  /** The chain that is followed; null where none is. */
  readonly chain: ChainIdentity | null;
  /** Where domain and address are null, they are those of the base address. */
  readonly signIn: Omit<SignInSettings, 'domain' | 'uri'> & {
    readonly domain: string | null;
    readonly uri: string | null;
  };
  /** What signatures of sales name; null: the zero address. */
  readonly marketplaceContract: string | null;
  /**
   * The block explorer that the console links transactions to. The default is the one of the chain, if it has a
   * well-known one.
   */
  readonly explorerUrl?: string | null;
  /** Null where the operator has set up none. */
  readonly providers: Readonly<Record<Provider, ProviderSettings | null>>;
  /** Whether the database holds the demo. The default is that it does not. */
  readonly isDemo?: boolean;
  /** The wallets of the demo, for visitors of the console who have opened the link with this token. Only used in the demo. */
  readonly demoWallets?: { readonly token: string; readonly read: () => Promise<DemoWallets | null> } | null;
  /** Whether the console is served. The default is that it is not. */
  readonly console?: boolean;
  /** The timing of event streams, for tests. */
  readonly eventStreams?: Pick<StreamDependencies, 'heartbeatMs' | 'maxDurationMs'>;
  /** How long events are kept. The default is 30 days. */
  readonly eventRetentionMs?: number;
  /** Sends events to webhooks. Without it another process has to. */
  readonly deliveries?: {
    /** The database without a connection pooler. */
    readonly url: string;
    readonly timing?: Partial<DeliveryTiming>;
    readonly limits?: DeliveryLimits;
  };
  /** Finds the addresses of the endpoints of webhooks. Tests have names of their own. */
  readonly resolveHost?: ResolveHost;
  readonly logger: FastifyBaseLogger;
  /** The base address as callers reach it; null: the address that is listened on. */
  readonly publicUrl: string | null;
  readonly stagingUrl: string | null;
  readonly corsOrigins: readonly string[];
  /** The networks of trusted proxies. */
  readonly trustProxy: readonly string[];
  /** Watches the servers of a database that has several. */
  readonly primaries?: Pick<PrimaryWatch, 'isSuperseded'>;
  readonly metricsToken: string | null;
  readonly metrics: Metrics;
  /** The metrics of all processes, where there are several. */
  readonly readAllMetrics?: () => Promise<string>;
  readonly timeouts?: ClientTimeouts;
  /** Ends connections when the service shuts down. By default, idle ones are closed at once. */
  readonly drainer?: ConnectionDrainer;
  /** In this process. The default is no limit. */
  readonly maxConnectionsPerAddress?: number;
  readonly bodyMemory?: BodyMemory;
  readonly unreadResponses?: UnreadResponses;
  readonly concurrencyLimits?: Partial<ConcurrencyLimits>;
}

const defaultEventRetentionMs = 30 * 24 * 3_600_000;
/** Beyond it new connections are closed at once, so that memory stays bounded. */
const maxConnections = 10_000;

/** Builds the whole service from its parts. Never listens, so that a test can hold one. */
export async function buildApp(parts: AppDependencies): Promise<FastifyInstance> {
  const { database, catalogueCache, logger, metrics, timeouts = defaultTimeouts } = parts;
  const drainer = parts.drainer ?? new ConnectionDrainer();
  const isTrustedProxy = compileNetworks(parts.trustProxy);
  const app = fastify(serverOptions(logger, isTrustedProxy, timeouts, drainer));
  app.server.on('checkExpectation', rejectExpectation);
  app.server.on('connect', rejectConnect);
  app.server.maxConnections = maxConnections;
  // Their size is limited. Node would silently drop those beyond a count, such as a second `Host`.
  app.server.maxHeadersCount = 0;
  limitConnections(app.server, {
    maxPerAddress: parts.maxConnectionsPerAddress ?? Number.POSITIVE_INFINITY,
    isTrustedProxy,
  });
  delayContinue(app);
  // All at once: streams never end by themselves while the drainer waits for all responses, and a part may wait for the database.
  const stopParts = [drainer.attach(app.server)];
  app.addHook('preClose', async () => {
    await Promise.all(stopParts.map((stopPart) => stopPart()));
  });

  // First of all hooks, so that requests that another hook rejects are traced, too.
  const tracing = getTracing();
  if (tracing) traceRequests(app, tracing);
  const findRouteError = trackRoutes(app);
  const warnAboutProxy = watchForwardedHeaders(logger);
  app.decorateRequest('caller', null);
  const securityLog = new SecurityLog(logger);
  app.addHook('onClose', async () => securityLog.endWindow());
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ApiError) recordRejection(securityLog, request, error);
    sendError(error, request, reply);
  });
  // Before the hook that rejects requests: a browser hides an error without CORS headers from the page.
  await allowOrigins(app, parts.corsOrigins);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixedHeaders).header('x-request-id', request.id);
    warnAboutProxy(request);
    if (!hasOneHost(request)) return done(new ApiError('MALFORMED_REQUEST'));
    // Here and not in a not-found handler, which Fastify calls only after it has read the body.
    const routeError = findRouteError(request);
    if (routeError) return done(routeError);
    if (request.method === 'OPTIONS') return sendPreflight(reply);
    done();
  });

  takeTurns(app);
  recordResponses(app, metrics);

  readBodies(app, parts.bodyMemory ?? new BodyMemory());

  // Kept, because a server that is closing no longer says where it listened, and still answers.
  let listensAt = '';
  app.addHook('onListen', async () => {
    listensAt = baseUrlOf(app.server);
  });
  const baseUrl = () => parts.publicUrl ?? listensAt;
  const concurrencyLimits = { ...createConcurrencyLimits(database), ...parts.concurrencyLimits };
  addConcurrencyMetrics(metrics.registry, concurrencyLimits);
  const origin = () => new URL(baseUrl()).origin;
  const { providers } = parts;
  const kycLinks = createProviderLinks(providers.KYC, origin);
  const payments = {
    links: createProviderLinks(providers.PAYMENT, origin),
    allowsLoopbackReturn: parts.isDemo ?? false,
  };
  const imageUrls = new ImageUrls(baseUrl);
  const router = new OperationRouter(app, {
    ...parts,
    callbackSecrets: { KYC: providers.KYC?.secrets ?? [], PAYMENT: providers.PAYMENT?.secrets ?? [] },
    concurrencyLimits,
    unreadResponses: parts.unreadResponses ?? new UnreadResponses(),
    publishUrl: (url) => imageUrls.publish(url),
    stallTimeoutMs: timeouts.stallMs,
    securityLog,
    routeAliases,
  });
  const { chain } = parts;
  addHealthRoutes(app, router, {
    ...parts,
    drainer,
    readChainReport: chain && (() => readReaderReport(database, chain)),
    readBacklogAge: async () => ageSecondsOf(await readBacklog(database)),
  });
  addSignInRoutes(router, {
    database,
    tokens: parts.tokens,
    now: parts.databaseNow ?? Date.now,
    signIn: {
      ...parts.signIn,
      domain: () => parts.signIn.domain ?? new URL(baseUrl()).host,
      uri: () => parts.signIn.uri ?? baseUrl(),
    },
  });
  addSessionRoutes(router, database);
  addKeyRoutes(router, database);
  addHolderRoutes(router, database);
  addDeliveryChargeRoutes(router, database, catalogueCache);
  addPlanetRoutes(router, database, catalogueCache, imageUrls);
  addStrainRoutes(router, database, catalogueCache, imageUrls);
  addImageRoutes(router, parts.imageStore, imageUrls);
  serveImages(app, { findDrawing: findDemoDrawing, store: parts.imageStore });
  addAuditRoutes(router, database);
  addClientRoutes(router, database, {
    kycLinks,
    medicalRecords: createMedicalRecords(parts.dataCipher),
  });
  addKycRoutes(router, database, kycLinks);
  addCartRoutes(router, database);
  addSaleRoutes(router, database);
  addDashboardRoutes(router, database);
  addOrderRoutes(router, database, catalogueCache, payments);
  addPaymentRoutes(router, database, payments);
  const marketplace = { chainId: parts.signIn.chainId, contract: parts.marketplaceContract ?? zeroAddress };
  addNftSaleRoutes(
    router,
    database,
    {
      marketplace,
      chain: findChain(parts.signIn),
    },
    catalogueCache.listings,
  );
  addTransactionRoutes(router, database);
  const describe = createEventDescriber({
    describers: createEventDescribers({ kycLinks, marketplace }),
    publishUrl: (url) => imageUrls.publish(url),
  });
  const hub = new EventHub({
    database,
    describe,
    onError: (error) => logger.warn({ err: error }, 'Events could not be read: retrying'),
  });
  stopParts.push(() => hub.close());
  addEventMetrics(metrics.registry, {
    countStreams: () => hub.subscribers,
    readWaitingSeconds: () => readWaitingSeconds(database),
  });
  const retentionMs = parts.eventRetentionMs ?? defaultEventRetentionMs;
  addEventRoutes(router, database, { ...parts.eventStreams, hub, describe, retentionMs });
  const { dataCipher: cipher, deliveries } = parts;
  const endpoints = { allowsLoopback: parts.isDemo ?? false, resolve: parts.resolveHost ?? resolveHost };
  addWebhookRoutes(router, database, { cipher, endpoints, retentionMs });
  if (deliveries && cipher) {
    const onAttempt = addDeliveryMetrics(metrics.registry, () => readBacklog(database));
    const worker = new DeliveryWorker({
      ...{ ...deliveries, database, cipher, describe, endpoints, logger, onAttempt },
    });
    // Events contain URLs of this service, which it knows when it listens.
    app.addHook('onListen', async () => worker.start());
    stopParts.push(() => worker.stop());
  }
  router.verifyComplete(operationList);
  addReferenceRoutes(app, { baseUrl, stagingUrl: parts.stagingUrl });
  addRootRedirect(app, parts.console && parts.isDemo ? '/console' : '/docs');
  if (parts.isDemo) await addDemoProviderRoutes(app, { database, limits: parts.limits, providers });
  if (parts.console) {
    const demoWallets = parts.isDemo && parts.demoWallets ? parts.demoWallets : null;
    const demoAccess = demoWallets && createConsoleAccess(demoWallets.token);
    if (demoAccess)
      addDemoWalletRoutes(app, { read: demoWallets.read, access: demoAccess, limits: parts.limits });
    addConsoleRoutes(app, {
      demoAccess,
      chainId: parts.signIn.chainId,
      marketplaceContract: parts.marketplaceContract,
      explorerUrl: parts.explorerUrl ?? findExplorer(parts.signIn.chainId),
    });
  }
  addMetricsRoute(app, {
    read: parts.readAllMetrics ?? (() => metrics.registry.metrics()),
    contentType: metrics.registry.contentType,
    token: parts.metricsToken,
  });
  return app;
}

import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify';
import { ApiError } from './api-error.ts';
import { findChain } from './chain/smart-wallet.ts';
import { type ReaderName, readReaderReport } from './chain/store.ts';
import { zeroAddress } from './chain/zero-address.ts';
import type { Database } from './database/database.ts';
import type { Migration } from './database/migrations.ts';
import { Admission } from './http/admission.ts';
import { baseUrlOf } from './http/base-url.ts';
import { answerConnect, answerExpectation } from './http/broken-connection.ts';
import { allowOrigins } from './http/cors.ts';
import { trackConnections } from './http/draining.ts';
import { answerError } from './http/error-answers.ts';
import { fixedHeaders } from './http/fixed-headers.ts';
import type { Guard } from './http/guard.ts';
import { addHealthRoutes } from './http/health.ts';
import type { Seal } from './http/idempotency/seal.ts';
import { addMetricsRoute, type Metrics } from './http/metrics.ts';
import type { RateLimits } from './http/rate-limit/rate-limits.ts';
import { addReferenceRoutes } from './http/reference.ts';
import { noteEveryAnswer } from './http/request-log.ts';
import { Router } from './http/router.ts';
import { type ClientTimeouts, defaultTimeouts, serverOptions } from './http/server-options.ts';
import type { Tokens } from './http/tokens.ts';
import { watchRoutes } from './http/unknown-route.ts';
import { addAuditRoutes } from './resources/audit/admin-routes.ts';
import { addCartRoutes } from './resources/carts/routes.ts';
import type { CatalogueAnswers } from './resources/catalogue-answers.ts';
import { addAdminClientRoutes } from './resources/clients/admin-routes.ts';
import { addClientRoutes } from './resources/clients/routes.ts';
import { addHolderRoutes } from './resources/holders/routes.ts';
import { addKeyRoutes } from './resources/keys/routes.ts';
import { addNftSaleRoutes } from './resources/nft-sales/routes.ts';
import { addAdminOrderRoutes } from './resources/orders/admin-routes.ts';
import { addOrderRoutes } from './resources/orders/routes.ts';
import { addAdminPlanetRoutes } from './resources/planets/admin-routes.ts';
import { addPlanetRoutes } from './resources/planets/routes.ts';
import { addSaleRoutes } from './resources/sales/routes.ts';
import { addSignInRoutes, type SignInSettings } from './resources/sign-in/routes.ts';
import { addAdminStrainRoutes } from './resources/strains/admin-routes.ts';
import { addStrainRoutes } from './resources/strains/routes.ts';
import { addTransactionRoutes } from './resources/transactions/routes.ts';

export interface AppParts {
  readonly database: Database;
  readonly migrations: readonly Migration[];
  readonly guard: Guard;
  readonly tokens: Tokens;
  readonly limits: RateLimits;
  readonly seal: Seal;
  readonly catalogueAnswers: CatalogueAnswers;
  /** The chain that is followed; null where none is. */
  readonly chain: ReaderName | null;
  /** Where domain and address are null, they are those of the base address. */
  readonly signIn: Omit<SignInSettings, 'domain' | 'uri'> & {
    readonly domain: string | null;
    readonly uri: string | null;
  };
  /** What signatures of sales name; null: the zero address. */
  readonly marketplaceContract: string | null;
  readonly logger: FastifyBaseLogger;
  /** The base address as callers reach it; null: the address that is listened on. */
  readonly publicUrl: string | null;
  readonly stagingUrl: string | null;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
  readonly metricsToken: string | null;
  readonly metrics: Metrics;
  /** The metrics of all processes, where there are several. */
  readonly readAllMetrics?: () => Promise<string>;
  readonly timeouts?: ClientTimeouts;
  readonly admission?: Admission;
}

/** So many that some are always ready for the next free connection, and not so many that they keep each other waiting. */
const requestsAtOnce = (poolSize: number): number => 4 * poolSize;
/** Beyond it new connections are closed at once, so that memory stays bounded. */
const mostConnections = 10_000;

/** Builds the whole service from its parts. Never listens, so that a test can hold one. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { database, catalogueAnswers, logger, metrics, timeouts = defaultTimeouts } = parts;
  const app = fastify(serverOptions(logger, parts.trustProxy, timeouts));
  app.server.on('checkExpectation', answerExpectation);
  app.server.on('connect', answerConnect);
  app.server.maxConnections = mostConnections;
  const connections = trackConnections(app.server);
  app.addHook('preClose', async () => connections.drain());

  const unknownRoute = watchRoutes(app);
  app.setErrorHandler(answerError);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixedHeaders).header('x-request-id', request.id);
    // Here and not in a not-found handler, which would only be asked after the body has been read and judged.
    if (request.is404) return done(unknownRoute(request));
    if (request.raw.httpVersion === '1.1' && !request.headers.host)
      return done(new ApiError('MALFORMED_REQUEST'));
    done();
  });

  noteEveryAnswer(app, metrics);
  await allowOrigins(app, parts.corsOrigins);

  // The bytes are kept as they came: a signature is over them, and only a request whose signature holds is parsed.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  // Kept, because a server that is closing no longer says where it listened, and still answers.
  let listensAt = '';
  app.addHook('onListen', async () => {
    listensAt = baseUrlOf(app.server);
  });
  const baseUrl = () => parts.publicUrl ?? listensAt;
  const admission = parts.admission ?? new Admission({ mostAtOnce: requestsAtOnce(database.poolSize) });
  metrics.watchAdmission(admission);
  const router = new Router(app, { ...parts, admission });
  const { chain } = parts;
  addHealthRoutes(app, router, {
    ...parts,
    readChainReport: chain && (() => readReaderReport(database, chain)),
  });
  addSignInRoutes(router, {
    database,
    tokens: parts.tokens,
    signIn: {
      ...parts.signIn,
      domain: () => parts.signIn.domain ?? new URL(baseUrl()).host,
      uri: () => parts.signIn.uri ?? baseUrl(),
    },
  });
  addKeyRoutes(router, database);
  addHolderRoutes(router, database);
  addPlanetRoutes(router, database, catalogueAnswers);
  addAdminPlanetRoutes(router, database, catalogueAnswers);
  addStrainRoutes(router, database, catalogueAnswers);
  addAdminStrainRoutes(router, database, catalogueAnswers);
  addAuditRoutes(router, database);
  addClientRoutes(router, database);
  addAdminClientRoutes(router, database);
  addCartRoutes(router, database);
  addSaleRoutes(router, database);
  addOrderRoutes(router, database, catalogueAnswers);
  addAdminOrderRoutes(router, database, catalogueAnswers);
  addNftSaleRoutes(router, database, {
    marketplace: { chainId: parts.signIn.chainId, contract: parts.marketplaceContract ?? zeroAddress },
    chain: findChain(parts.signIn),
  });
  addTransactionRoutes(router, database);
  addReferenceRoutes(app, { operations: router.operations, baseUrl, stagingUrl: parts.stagingUrl });
  addMetricsRoute(app, {
    read: parts.readAllMetrics ?? (() => metrics.registry.metrics()),
    contentType: metrics.registry.contentType,
    token: parts.metricsToken,
  });
  return app;
}

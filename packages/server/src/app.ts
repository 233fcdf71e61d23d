import cors from '@fastify/cors';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { ApiError } from './api-error.ts';
import type { Database } from './database/database.ts';
import type { Migration } from './database/migrations.ts';
import { baseUrlOf } from './http/base-url.ts';
import { answerBrokenConnection, answerExpectation } from './http/broken-connection.ts';
import { undoublePrefix } from './http/doubled-prefix.ts';
import { trackConnections } from './http/draining.ts';
import { answerError, answerFrameworkError } from './http/error-answers.ts';
import { fixedHeaders } from './http/fixed-headers.ts';
import type { Guard } from './http/guard.ts';
import { addHealthRoutes } from './http/health.ts';
import { addMetricsRoute, type Metrics } from './http/metrics.ts';
import type { RateLimits } from './http/rate-limit/rate-limits.ts';
import { addReferenceRoutes } from './http/reference.ts';
import { requestId } from './http/request-id.ts';
import { Router } from './http/router.ts';
import type { Tokens } from './http/tokens.ts';
import { watchRoutes } from './http/unknown-route.ts';
import { addHolderRoutes } from './resources/holders/routes.ts';
import { addKeyRoutes } from './resources/keys/routes.ts';
import { addPlanetRoutes } from './resources/planets/routes.ts';
import { addSignInRoutes, type SignInSettings } from './resources/sign-in/routes.ts';
import { addStrainRoutes } from './resources/strains/routes.ts';

/** How long a client may take, in milliseconds. */
export interface ClientTimeouts {
  /** For the request line and headers. */
  readonly headersMs: number;
  /** For the whole request, body included. */
  readonly requestMs: number;
  /** Without a byte in either direction. */
  readonly silenceMs: number;
  /** Between two requests on one connection. */
  readonly keepAliveMs: number;
  /** How often the first two are looked at. */
  readonly checkMs: number;
}

export const defaultTimeouts: ClientTimeouts = {
  headersMs: 15_000,
  requestMs: 30_000,
  silenceMs: 60_000,
  keepAliveMs: 65_000,
  checkMs: 2_000,
};

export interface AppParts {
  readonly database: Database;
  readonly migrations: readonly Migration[];
  readonly guard: Guard;
  readonly tokens: Tokens;
  readonly limits: RateLimits;
  /** Where domain and address are null, they are those of the base address. */
  readonly signIn: Omit<SignInSettings, 'domain' | 'uri'> & {
    readonly domain: string | null;
    readonly uri: string | null;
  };
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
}

const bodyLimitBytes = 1024 * 1024;
const headerLimitBytes = 16 * 1024;

/** Builds the whole service from its parts. Never listens, so that a test can hold one. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { database, logger, metrics, timeouts = defaultTimeouts } = parts;
  const app = fastify({
    loggerInstance: logger,
    // One line for each request, written when it is over: see the hook below.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    requestIdHeader: false,
    rewriteUrl: (request) => undoublePrefix(request.url ?? '/'),
    // The nearest proxy is believed and nobody before it: what a caller writes into the header is his own invention.
    trustProxy: parts.trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.silenceMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    forceCloseConnections: 'idle',
    // What arrives on an open connection while the service drains is still served.
    return503OnClosing: false,
    http: {
      maxHeaderSize: headerLimitBytes,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // Node would answer without a body; the hook below answers in the envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: answerBrokenConnection,
    frameworkErrors: answerFrameworkError,
  });
  app.server.on('checkExpectation', answerExpectation);
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

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime);
    // The query stays out of the log: it is where people search for names and addresses.
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
    done();
  });

  if (parts.corsOrigins.length > 0) await app.register(cors, corsOptions(parts.corsOrigins));

  // The bytes are kept as they came: a signature is over them, and only a request whose signature holds is parsed.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  const baseUrl = () => parts.publicUrl ?? baseUrlOf(app.server);
  const router = new Router(app, parts.guard, parts.limits);
  addHealthRoutes(app, router, parts);
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
  addPlanetRoutes(router, database);
  addStrainRoutes(router, database);
  addReferenceRoutes(app, { operations: router.operations, baseUrl, stagingUrl: parts.stagingUrl });
  addMetricsRoute(app, {
    read: parts.readAllMetrics ?? (() => metrics.registry.metrics()),
    contentType: metrics.registry.contentType,
    token: parts.metricsToken,
  });
  return app;
}

function corsOptions(origins: readonly string[]) {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'x-auth-apikey',
      'x-auth-signature',
      'x-request-id',
    ],
    exposedHeaders: ['ratelimit', 'ratelimit-policy', 'retry-after', 'www-authenticate', 'x-request-id'],
    maxAge: 600,
  };
}

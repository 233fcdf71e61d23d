import { BodyMemory } from '@keyfront/body-memory';
import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify';
import { ConnectionDrainer } from '../http/connection-draining.ts';
import { rejectConnect, rejectExpectation } from '../http/connection-errors.ts';
import { limitConnections } from '../http/connection-limit.ts';
import { allowOrigins, sendPreflight } from '../http/cors.ts';
import { sendError } from '../http/error-responses.ts';
import { fixedHeaders, sandboxHeaders } from '../http/fixed-headers.ts';
import { watchForwardedHeaders } from '../http/forwarded-headers.ts';
import { hasOneHost } from '../http/host-header.ts';
import { takeTurns } from '../http/pipelined-requests.ts';
import { recordResponses } from '../http/request-log.ts';
import { type ClientTimeouts, defaultTimeouts, serverOptions } from '../http/server-options.ts';
import { traceRequests } from '../http/trace-requests.ts';
import { trackRoutes } from '../http/unknown-route.ts';
import { ApiError } from '../lib/errors/api-error.ts';
import { compileNetworks } from '../lib/network/networks.ts';
import type { Metrics } from '../observability/metrics.ts';
import { SecurityLog } from '../observability/security-log.ts';
import { getTracing } from '../observability/tracing.ts';
import { recordRejection } from '../pipeline/handlers/security-events.ts';
import { delayContinue, readBodies } from '../pipeline/input/request-body.ts';

export interface ListenerDependencies {
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly corsOrigins: readonly string[];
  /** The networks of trusted proxies. */
  readonly trustProxy: readonly string[];
  readonly timeouts?: ClientTimeouts;
  /** Ends connections when the service shuts down. By default, idle ones are closed at once. */
  readonly drainer?: ConnectionDrainer;
  /** In this process. The default is no limit. */
  readonly maxConnectionsPerAddress?: number;
  readonly bodyMemory?: BodyMemory;
  /** Whether every response says that the service is a sandbox. */
  readonly sandbox?: boolean;
}

export interface Listener {
  readonly app: FastifyInstance;
  readonly securityLog: SecurityLog;
  readonly drainer: ConnectionDrainer;
  /** Registers what ends when the app closes. All of it ends at once. */
  readonly onStop: (stop: () => Promise<void>) => void;
}

/** Beyond it new connections are closed at once, so that memory stays bounded. */
const maxConnections = 10_000;

/** Creates the HTTP server, with everything that happens to a request before its route and after it. It has no routes yet. */
export async function createListener(dependencies: ListenerDependencies): Promise<Listener> {
  const { logger, metrics, timeouts = defaultTimeouts } = dependencies;
  const drainer = dependencies.drainer ?? new ConnectionDrainer();
  const isTrustedProxy = compileNetworks(dependencies.trustProxy);
  const headers = dependencies.sandbox ? { ...fixedHeaders, ...sandboxHeaders } : fixedHeaders;
  const app = fastify(serverOptions(logger, isTrustedProxy, timeouts, drainer, headers));
  app.server.on('checkExpectation', rejectExpectation.bind(null, headers));
  app.server.on('connect', rejectConnect.bind(null, headers));
  app.server.maxConnections = maxConnections;
  // Their size is limited. Node would silently drop those beyond a count, such as a second `Host`.
  app.server.maxHeadersCount = 0;
  const maxPerAddress = dependencies.maxConnectionsPerAddress ?? Number.POSITIVE_INFINITY;
  limitConnections(app.server, { maxPerAddress, isTrustedProxy, headers });
  delayContinue(app);
  // All at once: streams never end by themselves while the drainer waits for all responses, and a part may wait for the database.
  const stops = [drainer.attach(app.server)];
  app.addHook('preClose', async () => {
    await Promise.all(stops.map((stop) => stop()));
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
  await allowOrigins(app, dependencies.corsOrigins);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
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
  readBodies(app, dependencies.bodyMemory ?? new BodyMemory());
  return { app, securityLog, drainer, onStop: (stop) => stops.push(stop) };
}

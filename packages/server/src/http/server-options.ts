import { defaultBodyLimitBytes } from '@keyfront/protocol';
import {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { routedPath } from '../lib/request/request-target.ts';
import type { ConnectionDrainer } from './connection-draining.ts';
import { sendConnectionError } from './connection-errors.ts';
import { sendFrameworkError } from './error-responses.ts';
import type { FixedHeaders } from './fixed-headers.ts';
import { buildLazySerializers } from './lazy-serializers.ts';
import { getRequestId } from './request-id.ts';

/** How long a client may take, in milliseconds. */
export const defaultTimeouts = {
  /** For the request line and headers. */
  headersMs: 15_000,
  /** For the whole request, body included. */
  requestMs: 30_000,
  /** Without any data in either direction. */
  idleMs: 60_000,
  /** Between two requests on one connection. */
  keepAliveMs: 65_000,
  /** For the next slice of a download; see pipeline/file-response.ts. */
  stallMs: 30_000,
  /** How often the first two are checked. */
  checkIntervalMs: 2_000,
};

export type ClientTimeouts = Readonly<typeof defaultTimeouts>;

const headerLimitBytes = 16 * 1024;

/** The options of the server: limits, timeouts, and handlers that send our envelope where Node or Fastify would respond. */
export function serverOptions(
  logger: FastifyBaseLogger,
  isTrustedProxy: (address: string) => boolean,
  timeouts: ClientTimeouts,
  { ServerResponse }: Pick<ConnectionDrainer, 'ServerResponse'>,
  headers: FixedHeaders,
): FastifyHttpOptions<RawServerDefault, FastifyBaseLogger> {
  return {
    loggerInstance: logger,
    // request-log.ts writes one line for each response.
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request would cost more than its log line, which contains the request id itself.
    childLoggerFactory: (parent) => parent,
    genReqId: getRequestId,
    // It would also limit how long running requests may take when the service stops. serve.ts limits that.
    pluginTimeout: 0,
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializers } },
    requestIdHeader: false,
    rewriteUrl: routedPath,
    // The address of the caller is the last one that no trusted proxy has: callers can put any address into the header.
    trustProxy: isTrustedProxy,
    bodyLimit: defaultBodyLimitBytes,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.idleMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    forceCloseConnections: 'idle',
    // Requests that arrive on an open connection while the service shuts down are still served.
    return503OnClosing: false,
    http: {
      ServerResponse,
      maxHeaderSize: headerLimitBytes,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
      // Node would respond without a body; the app responds with the envelope.
      requireHostHeader: false,
      // Node would ignore all but the first `Host` and `Authorization`, and a proxy in front may read another one.
      joinDuplicateHeaders: true,
    },
    clientErrorHandler: (error, socket) => sendConnectionError(headers, error, socket),
    frameworkErrors: (error, request, reply) => sendFrameworkError(headers, error, request, reply),
  };
}

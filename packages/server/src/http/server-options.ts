import {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { sendConnectionError } from './connection-errors.ts';
import { undoublePrefix } from './doubled-prefix.ts';
import { sendFrameworkError } from './error-responses.ts';
import { requestId } from './request-id.ts';

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

const bodyLimitBytes = 1024 * 1024;
const headerLimitBytes = 16 * 1024;

/** How the server takes requests: limits, patience, and an answer of ours wherever Node or Fastify has one of its own. */
export function serverOptions(
  logger: FastifyBaseLogger,
  trustProxy: boolean,
  timeouts: ClientTimeouts,
): FastifyHttpOptions<RawServerDefault, FastifyBaseLogger> {
  return {
    loggerInstance: logger,
    // One line for each request, written when it is over: see request-log.ts.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than its line; the line names the request itself.
    childLoggerFactory: (parent) => parent,
    genReqId: requestId,
    requestIdHeader: false,
    rewriteUrl: (request) => undoublePrefix(request.url ?? '/'),
    // The nearest proxy is believed and nobody before it: what a caller writes into the header is his own invention.
    trustProxy: trustProxy ? (_address, hop) => hop === 0 : false,
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
      // Node would answer without a body; the app answers in the envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: sendConnectionError,
    frameworkErrors: sendFrameworkError,
  };
}

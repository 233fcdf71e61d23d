import type { FastifyInstance } from 'fastify';
import { addressText } from '../observability/address-text.ts';
import { createRequestLineWriter } from '../observability/logging.ts';
import type { Metrics } from '../observability/metrics.ts';
import { getTracing } from '../observability/tracing.ts';
import { isProbe } from './probes.ts';

/** Writes one log line and one measurement for each response. */
export function recordResponses(app: FastifyInstance, metrics: Metrics): void {
  const writeRequest = createRequestLineWriter(app.log);
  const writeProbe = createRequestLineWriter(app.log, 'debug');
  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, method } = request;
    const { statusCode: status, elapsedTime } = reply;
    // The pattern of the route and not the URL: a query may contain names and e-mail addresses.
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observeRequest(method, route, status, elapsedTime);
    const { caller } = request;
    // A probe that fails is worth a line.
    const writeLine = isProbe(route) && status < 400 ? writeProbe : writeRequest;
    writeLine({
      reqId,
      method,
      route,
      status,
      durationMs: Math.round(elapsedTime * 10) / 10,
      address: addressText(request.ip),
      // The id of an API key, or the wallet of a token.
      caller: caller === null ? '' : caller.credentialId,
      traceId: getTracing()?.currentTraceId() ?? undefined,
    });
    done();
  });
}

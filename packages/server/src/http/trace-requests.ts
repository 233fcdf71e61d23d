import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestSpan, Tracing } from '../observability/tracing.ts';
import { isProbe } from './probes.ts';

/** Records a span for each request, and lets everything that its handler does belong to the same trace. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    if (isProbe(request.routeOptions.url)) return done();
    const span = tracing.beginRequest(request.headers);
    spans.set(request, span);
    span.enter(done);
  });
  // The events of the socket, with which a body arrives, belong to no trace.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.enter(done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const span = spans.get(request);
    if (!span) return done();
    span.end({
      name: `${request.method} ${route}`,
      status: reply.statusCode,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'keyfront.request_id': request.id,
      },
    });
    // The log line of the request, which a later hook writes, names its trace.
    span.enter(done);
  });
}

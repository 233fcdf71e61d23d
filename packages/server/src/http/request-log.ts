import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** One line of the log and one measurement for each answer. */
export function noteEveryAnswer(app: FastifyInstance, metrics: Metrics): void {
  // These lines hold nothing that could be secret, and to look through them for it would cost more than to write them.
  const log = app.log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime);
    // The query stays out of the log: it is where people search for names and addresses.
    log.info(
      {
        reqId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
    done();
  });
}

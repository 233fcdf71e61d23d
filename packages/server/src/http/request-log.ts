import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** One line of the log and one measurement for each answer. */
export function noteEveryAnswer(app: FastifyInstance, metrics: Metrics): void {
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
}

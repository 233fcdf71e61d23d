import type { FastifyInstance } from 'fastify';
import { requestLineWriter } from './logging.ts';
import type { Metrics } from './metrics.ts';

/** One line of the log and one measurement for each answer. */
export function noteEveryAnswer(app: FastifyInstance, metrics: Metrics): void {
  const writeLine = requestLineWriter(app.log);
  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, method } = request;
    const { statusCode: status, elapsedTime } = reply;
    // The pattern of the address and not the address: a query is where people search for names and addresses.
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observeRequest(method, route, status, elapsedTime);
    writeLine({ reqId, method, route, status, durationMs: Math.round(elapsedTime * 10) / 10 });
    done();
  });
}

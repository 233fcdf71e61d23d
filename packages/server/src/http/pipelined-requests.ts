import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../lib/errors/api-error.ts';

/** How many requests of a connection may wait for its earlier responses. */
const maxWaiting = 100;

interface Pipeline {
  /** The response to the latest request of the connection. */
  last: ServerResponse;
  waiting: number;
}

const tooMany = new ApiError('CONCURRENCY_LIMITED', {
  message: `More than ${maxWaiting} requests of this connection wait for their responses`,
  headers: { 'retry-after': '1' },
});

/**
 * Starts each request of a connection when the response to the one before has left the process. Node starts all requests
 * that have arrived, and keeps the responses until the client reads them: a client that sends many requests in one packet
 * and reads nothing would fill the memory.
 */
export function takeTurns(app: FastifyInstance): void {
  const pipelines = new WeakMap<Socket, Pipeline>();
  app.addHook('onRequest', (request, reply, done) => {
    const { raw: response } = reply;
    const { socket } = request.raw;
    const pipeline = pipelines.get(socket);
    if (!pipeline) {
      pipelines.set(socket, { last: response, waiting: 0 });
      return done();
    }
    const { last } = pipeline;
    pipeline.last = response;
    if (last.writableFinished || last.destroyed) return done();
    // The responses to these are small and wait unsent, so that Node stops reading from the connection.
    if (pipeline.waiting >= maxWaiting) return done(tooMany);
    pipeline.waiting++;
    last.once('close', () => {
      pipeline.waiting--;
      // Nobody would read the response.
      if (!socket.destroyed) done();
    });
  });
}

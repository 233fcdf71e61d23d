import type { FastifyInstance } from 'fastify';

/** `GET /` leads to the API reference. 302, because browsers remember a permanent redirect after the target has moved. */
export function addRootRedirect(app: FastifyInstance): void {
  app.get('/', (_request, reply) => reply.redirect('/docs', 302));
}

import type { FastifyInstance } from 'fastify';

/** `GET /` leads to the first page. 302, because browsers remember a permanent redirect after the target has moved. */
export function addRootRedirect(app: FastifyInstance, target: '/console' | '/docs'): void {
  app.get('/', (_request, reply) => reply.redirect(target, 302));
}

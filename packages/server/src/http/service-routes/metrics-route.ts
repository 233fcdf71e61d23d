import type { FastifyInstance, FastifyRequest } from 'fastify';
import { equalSecrets } from '../../lib/equal-secrets.ts';
import { ApiError } from '../../lib/errors/api-error.ts';

interface MetricsRouteOptions {
  /** Reads all metrics in the Prometheus text format. */
  readonly read: () => Promise<string>;
  readonly contentType: string;
  readonly token: string | null;
}

/**
 * `/metrics`, for callers with the token. An address proves nothing: a proxy on this machine calls from the loopback
 * interface on behalf of anybody, and need not say so in a header.
 */
export function addMetricsRoute(
  app: FastifyInstance,
  { read, contentType, token }: MetricsRouteOptions,
): void {
  app.get('/metrics', async (request, reply) => {
    if (!hasToken(request, token)) {
      const reason = 'the authorization header must have the token of METRICS_TOKEN';
      throw new ApiError('TOKEN_INVALID', {
        reason,
        headers: { 'www-authenticate': 'Bearer realm="metrics"' },
      });
    }
    return reply.type(contentType).send(await read());
  });
}

function hasToken(request: FastifyRequest, token: string | null): boolean {
  const { authorization } = request.headers;
  return token !== null && authorization !== undefined && equalSecrets(authorization, `Bearer ${token}`);
}

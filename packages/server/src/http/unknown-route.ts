import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';

/**
 * Makes the error for a request that no route takes: 405 with `Allow` where the path exists for other methods, else
 * 404. Must be set up before the first route.
 */
export function watchRoutes(app: FastifyInstance): (request: FastifyRequest) => ApiError {
  const methodsByUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? new Set();
    methodsByUrl.set(url, methods);
    for (const name of [method].flat()) methods.add(name);
  });

  let patterns: { expression: RegExp; methods: Set<string> }[] | undefined;
  return (request) => {
    patterns ??= [...methodsByUrl].map(([url, methods]) => ({ expression: toExpression(url), methods }));
    const [path = ''] = request.url.split('?', 1);
    const allowed = patterns
      .filter(({ expression }) => expression.test(path))
      .flatMap(({ methods }) => [...methods]);
    if (allowed.length === 0)
      return new ApiError('ROUTE_NOT_FOUND', { message: `Cannot ${request.method} ${path}` });
    return new ApiError('METHOD_NOT_ALLOWED', {
      message: `Cannot ${request.method} ${path}: it takes ${allowed.join(', ')}`,
      headers: { allow: allowed.join(', ') },
    });
  };
}

function toExpression(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+';
    if (segment === '*') return '.*';
    return segment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}

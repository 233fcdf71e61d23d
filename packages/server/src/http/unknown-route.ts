import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../lib/errors/api-error.ts';
import { targetOf } from '../lib/request/request-target.ts';
import { isPreflight, preflightRouteUrl } from './cors.ts';

/**
 * Records the routes of the service. Returns a function that finds the error for a request that no route takes: 405
 * with `Allow` where the path exists for other methods, otherwise 404. Must be called before the first route is added.
 */
export function trackRoutes(app: FastifyInstance): (request: FastifyRequest) => ApiError | null {
  const methodsByUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    // It matches every path: with it, no path would be unknown.
    if (url === preflightRouteUrl) return;
    const methods = methodsByUrl.get(url) ?? new Set();
    methodsByUrl.set(url, methods);
    for (const name of [method].flat()) methods.add(name);
  });

  let patterns: { expression: RegExp; methods: Set<string> }[] | undefined;
  return (request) => {
    const { method, is404 } = request;
    // The route for preflights takes OPTIONS of any path.
    if (!is404 && method !== 'OPTIONS') return null;
    patterns ??= [...methodsByUrl].map(([url, methods]) => ({ expression: toExpression(url), methods }));
    const { path } = targetOf(request);
    // A path may match several routes, such as one with a parameter.
    const allowed = [
      ...new Set(
        patterns.filter(({ expression }) => expression.test(path)).flatMap(({ methods }) => [...methods]),
      ),
    ];
    if (allowed.length === 0) return new ApiError('ROUTE_NOT_FOUND', { message: `Cannot ${method} ${path}` });
    if (!is404 && isPreflight(request)) return null;
    return new ApiError('METHOD_NOT_ALLOWED', {
      message: `Cannot ${method} ${path}: it takes ${allowed.join(', ')}`,
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

import type { FastifyBaseLogger, FastifyRequest } from 'fastify';

/**
 * Returns a function that warns once about requests whose `X-Forwarded-For` or `Forwarded` is ignored. Then all callers
 * behind a proxy have one address, and share the limits of that address.
 */
export function watchForwardedHeaders(
  logger: Pick<FastifyBaseLogger, 'warn'>,
): (request: Pick<FastifyRequest, 'headers' | 'ip' | 'socket'>) => void {
  let isWarned = false;
  return ({ headers, ip, socket }) => {
    if (isWarned || !('x-forwarded-for' in headers || 'forwarded' in headers)) return;
    // A trusted proxy has replaced the address.
    if (ip !== socket.remoteAddress) return;
    isWarned = true;
    logger.warn(
      `A request from ${ip} carries a forwarded address, which is ignored: if ${ip} is your proxy, add it to TRUST_PROXY ` +
        'and let it set X-Forwarded-For. Otherwise all callers behind it share the rate limits of one address.',
    );
  };
}

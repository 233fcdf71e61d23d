import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { equalSecrets } from '../../lib/equal-secrets.ts';
import { targetOf } from '../../lib/request/request-target.ts';
import { tokenParameter } from './console-token.ts';

/** Tells the browsers that were opened with the link of the start from all others. */
export interface ConsoleAccess {
  /** Whether the browser has the cookie of the link. */
  isGranted(request: FastifyRequest): boolean;
  /**
   * Redirects a request with a token to the same address without it, with a cookie if the token is right. Returns null, and
   * sends nothing, if the request has no token.
   */
  takeToken(request: FastifyRequest, reply: FastifyReply): FastifyReply | null;
}

const cookieSeconds = 30 * 24 * 3_600;

export function createConsoleAccess(token: string): ConsoleAccess {
  // Browsers send cookies to all ports of a host: two services on one machine need two names.
  const cookieName = `keyfront-demo-${createHash('sha256').update(token).digest('hex').slice(0, 8)}`;
  // Not `Strict`, which would withhold it after a click on the link in a web page, such as a terminal in the browser.
  const cookie = `${cookieName}=${token}; Path=/console; HttpOnly; SameSite=Lax; Max-Age=${cookieSeconds}`;
  return {
    isGranted: ({ headers }) =>
      (headers.cookie ?? '')
        .split(';')
        .map((pair) => pair.trim().split('='))
        .some(([name, value = '']) => name === cookieName && equalSecrets(value, token)),
    takeToken: (request, reply) => {
      const { path, query } = targetOf(request);
      const parameters = new URLSearchParams(query ?? '');
      const given = parameters.get(tokenParameter);
      if (given === null) return null;
      if (equalSecrets(given, token)) reply.header('set-cookie', cookie);
      parameters.delete(tokenParameter);
      return reply.redirect(parameters.size > 0 ? `${path}?${parameters}` : path, 303);
    },
  };
}

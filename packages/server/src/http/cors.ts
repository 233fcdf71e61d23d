import cors from '@fastify/cors';
import { operationList } from '@keyfront/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The URL of the one route that @fastify/cors adds: it accepts OPTIONS of every path. */
export const preflightRouteUrl = '*';

/** Lets pages of these origins call the service from a browser. Without origins, no page may. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: [...new Set(operationList.map(({ method }) => method))].sort(),
    allowedHeaders: [
      'authorization',
      'content-digest',
      'content-type',
      'idempotency-key',
      'last-event-id',
      'signature',
      'signature-input',
      'traceparent',
      'x-auth-apikey',
      'x-auth-signature',
      'x-request-id',
    ],
    exposedHeaders: [
      'content-disposition',
      'idempotent-replayed',
      'keyfront-sandbox',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'www-authenticate',
      'x-request-id',
    ],
    maxAge: 600,
    // The plugin would respond to OPTIONS of unknown paths as well, and to a malformed preflight with plain text. It
    // only sets the headers; `sendPreflight` responds once the path is known to exist.
    preflightContinue: true,
    strictPreflight: false,
  });
}

/** Whether a browser asks for permission to send another request. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && 'origin' in headers && 'access-control-request-method' in headers;
}

/** Responds to a preflight; @fastify/cors has set its headers. Safari waits for a body unless the length is stated. */
export function sendPreflight(reply: FastifyReply): void {
  void reply.code(204).header('content-length', '0').send();
}

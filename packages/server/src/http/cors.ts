import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Lets pages of these origins call from a browser; without any, no page may. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'x-auth-apikey',
      'x-auth-signature',
      'x-request-id',
    ],
    exposedHeaders: [
      'content-disposition',
      'idempotent-replayed',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'www-authenticate',
      'x-request-id',
    ],
    maxAge: 600,
  });
}

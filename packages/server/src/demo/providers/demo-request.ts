import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Whether a form was sent by one of these pages, as its browser says. */
export function isOwnForm({ headers }: FastifyRequest): boolean {
  return headers.origin === `http://${headers.host}`;
}

/** A value that only a page of this service can put into the form for a reference. */
export function makeFormToken(secret: Uint8Array, reference: string): string {
  return createHmac('sha256', secret).update(`form ${reference}`).digest('base64url');
}

export function isFormToken(secret: Uint8Array, reference: string, token: string): boolean {
  const expected = Buffer.from(makeFormToken(secret, reference));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

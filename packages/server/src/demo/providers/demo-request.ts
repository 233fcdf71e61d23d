import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isLoopbackAddress, isLoopbackHost } from '../../loopback.ts';

/** Headers that a proxy adds. Behind one, every connection seems to come from this machine. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Whether a request comes from this machine and is meant for it. The host must be a loopback name, too: a web page can
 * point a name of its own to this machine, and would then be of the same origin as these pages.
 */
export function isLocalRequest({ headers, raw }: FastifyRequest): boolean {
  return (
    isLoopbackAddress(raw.socket.remoteAddress) &&
    isLoopbackHost(hostnameOf(headers.host)) &&
    !proxyHeaders.some((name) => name in headers)
  );
}

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

function hostnameOf(host: string | undefined): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

import type { FastifyRequest } from 'fastify';
import { isLoopbackAddress, isLoopbackHost } from '../loopback.ts';

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

function hostnameOf(host: string | undefined): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

import type { FastifyRequest } from 'fastify';
import { isLoopbackAddress, isLoopbackHost } from '../loopback.ts';
import { targetOf } from '../request-target.ts';

/** Headers that a proxy adds. Behind one, every connection seems to come from this machine. */
const proxyHeader =
  /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|(cf|fastly|fly)-.*)$/;

/**
 * Whether a request comes from this machine and is meant for it. The host must be a loopback name, too: a web page can
 * point a name of its own to this machine, and would then be of the same origin as these pages. Browsers use HTTP/1.1 and
 * name only the path. A proxy without settings of its own often uses HTTP/1.0, and adds no header.
 */
export function isLocalRequest(request: FastifyRequest): boolean {
  const { headers, raw } = request;
  return (
    isLoopbackAddress(raw.socket.remoteAddress) &&
    isLoopbackHost(hostnameOf(headers.host)) &&
    raw.httpVersion === '1.1' &&
    targetOf(request).authority === null &&
    (headers.referer === undefined || hostOf(headers.referer) === headers.host) &&
    !Object.keys(headers).some((name) => proxyHeader.test(name))
  );
}

function hostnameOf(host: string | undefined): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

import type { FastifyRequest } from 'fastify';

/** Of a host and a port. A comma joins the values of a repeated header, and no host name contains one. */
const hostForm = /^[\w\-.~!$&'()*+;=%:[\]]+$/;

/** Whether a request has exactly one `Host` (RFC 9112, section 3.2). HTTP/1.0 does without. */
export function hasOneHost({ raw }: FastifyRequest): boolean {
  const { host } = raw.headers;
  return host ? hostForm.test(host) : raw.httpVersion === '1.0' && host === undefined;
}

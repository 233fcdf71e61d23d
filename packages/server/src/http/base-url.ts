import type { Server } from 'node:http';
import { versionPrefix } from '../lib/request/version-prefix.ts';

/** The base URL of a listening server, such as `http://127.0.0.1:3000/api/v1`. */
export function baseUrlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return versionPrefix;
  const anyHost = address.address === '0.0.0.0' || address.address === '::';
  const host = anyHost ? 'localhost' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}${versionPrefix}`;
}

import type { Server } from 'node:http';
import { addressKey } from '@keyfront/rate-limiter';
import { refuseConnection } from './connection-errors.ts';
import type { FixedHeaders } from './fixed-headers.ts';

interface ConnectionLimitOptions {
  readonly maxPerAddress: number;
  /** A proxy opens connections for all of its clients. */
  readonly isTrustedProxy: (address: string) => boolean;
  /** Of the response to a connection beyond the limit. */
  readonly headers: FixedHeaders;
}

/**
 * Limits the connections of one address, so that a single client cannot take all of them. For IPv6 an address is the /64
 * network, as in the rate limits.
 */
export function limitConnections(
  server: Server,
  { maxPerAddress, isTrustedProxy, headers }: ConnectionLimitOptions,
): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isTrustedProxy(remoteAddress)) return;
    const key = addressKey(remoteAddress);
    const count = counts.get(key) ?? 0;
    if (count >= maxPerAddress) return refuseConnection(headers, socket);
    counts.set(key, count + 1);
    socket.once('close', () => {
      const rest = (counts.get(key) ?? 0) - 1;
      if (rest > 0) counts.set(key, rest);
      else counts.delete(key);
    });
  });
}

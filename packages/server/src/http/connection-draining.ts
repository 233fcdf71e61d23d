import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const checkIntervalMs = 100;

/**
 * Lets a closing server close every connection without a running request. Node itself closes idle connections only once,
 * when closing begins. It would wait for connections that have never sent a request, such as browsers open in advance,
 * and for those whose request ends later.
 */
export function trackConnections(server: Server): { drain(): void } {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', (request) => unused.delete(request.socket));
  return {
    drain: () => {
      for (const socket of unused) socket.destroy();
      const timer = setInterval(() => server.closeIdleConnections(), checkIntervalMs);
      server.once('close', () => clearInterval(timer));
    },
  };
}

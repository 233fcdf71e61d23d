import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const lookAgainMs = 100;

/**
 * Lets a closing server part with every connection on which no request is running. By itself Node looks once, at the
 * beginning: it would wait for one that never said a word, such as a browser opens in advance, and for one whose
 * request ends a moment later.
 */
export function trackConnections(server: Server): { drain(): void } {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', (request) => silent.delete(request.socket));
  return {
    drain: () => {
      for (const socket of silent) socket.destroy();
      const again = setInterval(() => server.closeIdleConnections(), lookAgainMs);
      server.once('close', () => clearInterval(again));
    },
  };
}

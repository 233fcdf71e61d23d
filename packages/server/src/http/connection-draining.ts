import { type IncomingMessage, type OutgoingHttpHeaders, type Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const checkIntervalMs = 100;

/**
 * Ends the connections of a server without resetting clients that reuse them. From `begin` on, each response closes its
 * connection with `Connection: close`. `stop` closes the listener, and closes the connections that are idle or unused.
 */
export class ConnectionDrainer {
  /** The responses of the server. They close their connections when draining has begun. */
  readonly ServerResponse: typeof ServerResponse;
  readonly #lingerMs: number;
  #isDraining = false;

  /**
   * With `lingerMs`, idle connections stay open for this time after the listener is closed: the next request of a busy
   * client may already be on its way, and closing the connection would reset it.
   */
  constructor({ lingerMs = 0 } = {}) {
    this.#lingerMs = lingerMs;
    const isDraining = () => this.#isDraining;
    // A hook of Fastify would miss responses that other parts send, and would cost more for each response.
    this.ServerResponse = class<Request extends IncomingMessage> extends ServerResponse<Request> {
      override writeHead(status: number, reason?: unknown, headers?: unknown): this {
        if (isDraining()) this.shouldKeepAlive = false;
        // Node accepts the headers in the place of the reason, too.
        return super.writeHead(status, reason as string, headers as OutgoingHttpHeaders);
      }
    } as typeof ServerResponse;
  }

  /** True when the service is about to end and should get no new requests. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  begin(): void {
    this.#isDraining = true;
  }

  /** Prepares a server. Returns a function that stops it and waits until all of its connections are closed. */
  attach(server: Server): () => Promise<void> {
    const unused = new Set<Socket>();
    server.on('connection', (socket) => {
      unused.add(socket);
      socket.once('close', () => unused.delete(socket));
    });
    server.on('request', (request) => unused.delete(request.socket));
    return async () => {
      this.begin();
      if (!server.listening) return;
      // The method of http.Server would also close idle connections, now and only once.
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      const timer = new AbortController();
      const hasClosed = closed.then(() => timer.abort());
      await delay(this.#lingerMs, undefined, { signal: timer.signal }).catch(() => undefined);
      const closeIdle = () => {
        for (const socket of unused) socket.destroy();
        server.closeIdleConnections();
      };
      closeIdle();
      const interval = setInterval(closeIdle, checkIntervalMs);
      await hasClosed;
      clearInterval(interval);
    };
  }
}

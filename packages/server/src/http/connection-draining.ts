import { type IncomingMessage, type OutgoingHttpHeaders, type Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { closeAfterEarlyResponse } from './connection-errors.ts';

const checkIntervalMs = 100;

export interface DrainOptions {
  /**
   * How long idle connections stay open after the listener is closed: the next request of a busy client may already be on
   * its way, and closing the connection would reset it. Default: 0.
   */
  readonly lingerMs?: number;
  /**
   * The time between the end of the listener and the first response that closes its connection. A client whose connection
   * is closed connects again at once, and would be reset by a listener that is about to close. With several workers, the
   * listener ends when the last of them has closed it. Default: 0.
   */
  readonly announceAfterMs?: number;
}

/**
 * Ends the connections of a server without resetting clients that reuse them. From `begin` on, each response closes its
 * connection with `Connection: close`. The function that `attach` returns closes the listener, begins, and closes the
 * connections that are idle or unused.
 */
export class ConnectionDrainer {
  /** The responses of the server. They close their connections when draining has begun. */
  readonly ServerResponse: typeof ServerResponse;
  readonly #lingerMs: number;
  readonly #announceAfterMs: number;
  #isDraining = false;

  constructor({ lingerMs = 0, announceAfterMs = 0 }: DrainOptions = {}) {
    this.#lingerMs = lingerMs;
    this.#announceAfterMs = announceAfterMs;
    const isDraining = () => this.#isDraining;
    // A hook of Fastify would miss responses that other parts send, and would cost more for each response.
    this.ServerResponse = class<Request extends IncomingMessage> extends ServerResponse<Request> {
      override writeHead(status: number, reason?: unknown, headers?: unknown): this {
        if (isDraining()) this.shouldKeepAlive = false;
        if (!this.req.complete) closeAfterEarlyResponse(this);
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
      if (this.#announceAfterMs === 0 || !server.listening) this.begin();
      if (!server.listening) return;
      // The method of http.Server would also close idle connections, now and only once.
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      const timer = new AbortController();
      const hasClosed = closed.then(() => timer.abort());
      const pause = (ms: number) => delay(ms, undefined, { signal: timer.signal }).catch(() => undefined);
      await pause(this.#announceAfterMs);
      this.begin();
      await pause(this.#lingerMs);
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

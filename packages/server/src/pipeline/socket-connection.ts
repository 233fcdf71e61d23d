import type { Socket } from 'node:net';
import type { ClientConnection } from '../database/client-connection.ts';

/** The client connection of an HTTP request. */
export class SocketConnection implements ClientConnection {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get isGone(): boolean {
    return this.#socket.destroyed;
  }

  onGone(listener: () => void): () => void {
    this.#socket.once('close', listener);
    return () => this.#socket.off('close', listener);
  }
}

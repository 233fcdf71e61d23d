import type { Socket } from 'node:net';
import type { ClientConnection } from './client-connection.ts';

/** The client connection of an HTTP request. */
export class SocketConnection implements ClientConnection {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  onClose(listener: () => void): () => void {
    this.#socket.once('close', listener);
    return () => this.#socket.off('close', listener);
  }
}

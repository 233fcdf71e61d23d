/** The connection of the client that waits for a response. */
export interface ClientConnection {
  readonly isClosed: boolean;
  /** Calls the listener when the connection closes. Returns a function that removes the listener. */
  onClose(listener: () => void): () => void;
}

/** Thrown when the client has disconnected, so that nobody waits for the result. */
export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected';
}

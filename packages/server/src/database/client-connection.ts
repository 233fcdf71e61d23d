/** Whoever waits for an answer, and may go away before it is there. */
export interface ClientConnection {
  readonly isGone: boolean;
  /** Calls back when they go. Says how to stop listening. */
  onGone(listener: () => void): () => void;
}

/** Nobody waits for the answer any more. */
export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected';
}

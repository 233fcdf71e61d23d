import { defaultBodyLimitBytes } from '@keyfront/protocol';
import type { ClientConnection } from '../../lib/request/client-connection.ts';
import { ConcurrencyLimiter } from '../../limits/concurrency/concurrency-limiter.ts';

/** A body that is larger takes turns with others. */
export const smallBodyBytes = defaultBodyLimitBytes;

/**
 * Lets large bodies take turns. A body that was read is hashed, parsed and validated at once, which takes milliseconds for a large one. So one
 * large body is passed on in each turn of the event loop, and callers take turns: a caller who sends many delays every other request by one.
 */
export class BodyTurns {
  readonly #limiter = new ConcurrencyLimiter({ name: 'body', maxConcurrent: 1, rejectionDelayMs: 0 });

  /** Resolves when it is the turn of a large body. Rejects if too many wait, or the client has disconnected. */
  async take(caller: string, bytes: number, connection: ClientConnection): Promise<void> {
    const place = await this.#limiter.admit(caller, connection);
    // The place is free again after a turn of the event loop, in which other requests are served.
    setImmediate(() => place.release(bytes / smallBodyBytes));
  }
}

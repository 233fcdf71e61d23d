import type { FastifyRequest } from 'fastify';
import { ConcurrencyLimiter } from '../pipeline/concurrency-limiter.ts';
import { SocketConnection } from '../pipeline/socket-connection.ts';
import { addressKey } from '../rate-limit/address-key.ts';

/** At most this many signatures of suspects are verified in one turn of the event loop. */
const maxPerTurn = 4;

/**
 * Bounds the signatures that the service verifies for addresses with too many invalid credentials. Such an address may be
 * shared, so its valid requests must be accepted. The addresses take turns.
 */
export class SuspectQueue {
  readonly #limiter = new ConcurrencyLimiter({
    name: 'failure',
    maxConcurrent: maxPerTurn,
    maxQueued: 1_000,
    maxQueuedPerCaller: 50,
    rejectionDelayMs: 0,
  });

  /** Runs the verification of a request. Returns null if too many of the same address, or of the same known key, wait. */
  async verify<Result>(
    request: FastifyRequest,
    knownFingerprint: string | null,
    work: () => Promise<Result> | Result,
  ): Promise<Result | null> {
    const address = addressKey(request.ip);
    // A key that is in use has a queue of its own, which made-up keys cannot fill.
    const lane = knownFingerprint === null ? address : `${address} ${knownFingerprint}`;
    try {
      await this.#limiter.admit(lane, new SocketConnection(request.raw.socket));
    } catch {
      return null;
    }
    try {
      return await work();
    } finally {
      // The place is free again after a turn of the event loop, in which other requests are served.
      setImmediate(() => this.#limiter.release(lane));
    }
  }
}

import type { Place } from '@keyfront/fair-queue';
import { addressKey } from '@keyfront/rate-limiter';
import type { FastifyRequest } from 'fastify';
import type { ClientConnection } from '../lib/request/client-connection.ts';
import { SocketConnection } from '../lib/request/socket-connection.ts';
import { ConcurrencyLimiter } from '../limits/concurrency/concurrency-limiter.ts';

/** At most this many signatures of failing addresses are verified in one turn of the event loop. */
const maxPerTurn = 4;
/** As many as one address may have connections by default. Each connection has one request at a time. */
const maxWaiting = 1_000;
/** How many requests of one key may wait: of a key that was valid before, and of any other. */
const maxWaitingOfKnownKey = 50;
const maxWaitingOfUnknownKey = 20;

/**
 * Bounds the signatures that the service verifies for addresses with too many invalid credentials. Such an address may be
 * shared, so its valid requests must be accepted. The addresses take turns, and so do the keys of each address: a flood
 * of made-up keys delays a new key, but does not keep it out. Keys that were valid before do not wait for others at all.
 */
export class FailingAddressQueue {
  readonly #turns = new ConcurrencyLimiter({
    name: 'failure',
    maxConcurrent: maxPerTurn,
    // Each line has at most `maxPerTurn` requests here.
    maxQueued: 10 * maxWaiting,
    rejectionDelayMs: 0,
  });
  /** The keys of an address that take turns; those that were valid before are in a line of their own. */
  readonly #lines = new Map<string, ConcurrencyLimiter>();

  /** Runs the verification of a request. Returns null if too many of the same key, or of the same address, wait. */
  async verify<Result>(
    request: FastifyRequest,
    { fingerprint, isKnown }: { readonly fingerprint: string; readonly isKnown: boolean },
    work: () => Promise<Result> | Result,
  ): Promise<Result | null> {
    const address = addressKey(request.ip);
    const name = isKnown ? `${address} known` : address;
    const line = this.#lines.get(name) ?? createLine(isKnown);
    this.#lines.set(name, line);
    const connection = new SocketConnection(request.raw.socket);
    const place = await findPlace(line, fingerprint, connection);
    if (!place) return null;
    const turn = await findPlace(this.#turns, name, connection);
    const leave = () => {
      turn?.release();
      place.release();
      if (line.active === 0 && line.queued === 0) this.#lines.delete(name);
    };
    if (!turn) {
      leave();
      return null;
    }
    try {
      return await work();
    } finally {
      // The place is free again after a turn of the event loop, in which other requests are served.
      setImmediate(leave);
    }
  }
}

function createLine(isKnown: boolean): ConcurrencyLimiter {
  return new ConcurrencyLimiter({
    name: 'failure',
    maxConcurrent: maxPerTurn,
    maxQueued: maxWaiting,
    maxQueuedPerCaller: isKnown ? maxWaitingOfKnownKey : maxWaitingOfUnknownKey,
    rejectionDelayMs: 0,
  });
}

/** Waits for a place. Returns null if the queue is full, the wait takes too long or the client has disconnected. */
async function findPlace(
  limiter: ConcurrencyLimiter,
  caller: string,
  connection: ClientConnection,
): Promise<Place | null> {
  try {
    return await limiter.admit(caller, connection);
  } catch {
    return null;
  }
}

import type { ServerResponse } from 'node:http';
import { ApiError } from '../../lib/errors/api-error.ts';

interface UnreadResponsesOptions {
  /** What the responses to one caller may hold before its next request is refused. */
  readonly maxBytesPerCaller: number;
  /** What all responses may hold before connections are closed. */
  readonly maxBytes: number;
  /** Smaller responses are not counted. The system takes them at once, unless the client has stopped reading. */
  readonly minBytes: number;
}

type CountedResponse = Pick<ServerResponse, 'once' | 'destroy'>;

/** The responses to one caller, the oldest first. */
interface Unread {
  bytes: number;
  readonly responses: Set<CountedResponse>;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const defaults: UnreadResponsesOptions = {
  maxBytesPerCaller: 16 * mebibyte,
  maxBytes: 128 * mebibyte,
  minBytes: 64 * kibibyte,
};

// Created once: a client that reads nothing may still send.
const tooMuch = new ApiError('CONCURRENCY_LIMITED', {
  message: 'Too much of earlier responses is unread: read them, or close their connections',
  headers: { 'retry-after': '1' },
});

/**
 * Bounds the memory of responses that their clients do not read. The callers are wallets. When all of them together hold
 * too much, the caller who holds the most loses the connection with the oldest response.
 */
export class UnreadResponses {
  readonly #options: UnreadResponsesOptions;
  readonly #unreadByCaller = new Map<string, Unread>();
  #bytes = 0;

  constructor(options: Partial<UnreadResponsesOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  /** What all counted responses hold now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Throws the 429 if the caller should read before it asks for more. */
  check(caller: string): void {
    if (this.#bytes === 0) return;
    const unread = this.#unreadByCaller.get(caller);
    if (unread && unread.bytes >= this.#options.maxBytesPerCaller) throw tooMuch;
  }

  /** Counts a response until it has left the process, or its connection is closed. */
  add(caller: string, bytes: number, response: CountedResponse): void {
    if (bytes < this.#options.minBytes) return;
    const unread = this.#unreadByCaller.get(caller) ?? { bytes: 0, responses: new Set() };
    this.#unreadByCaller.set(caller, unread);
    unread.bytes += bytes;
    unread.responses.add(response);
    this.#bytes += bytes;
    response.once('close', () => {
      unread.bytes -= bytes;
      unread.responses.delete(response);
      this.#bytes -= bytes;
      if (unread.responses.size === 0) this.#unreadByCaller.delete(caller);
    });
    if (this.#bytes > this.#options.maxBytes) this.#closeOldest();
  }

  #closeOldest(): void {
    let largest: Unread | undefined;
    for (const unread of this.#unreadByCaller.values()) {
      if (!largest || unread.bytes > largest.bytes) largest = unread;
    }
    const [oldest] = largest?.responses ?? [];
    oldest?.destroy();
  }
}

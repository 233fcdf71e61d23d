import { setTimeout as delay } from 'node:timers/promises';
import { type HolderCredentials, signSimply } from './holders.ts';

interface KeyedRequest {
  readonly target: string;
  readonly body: string;
  /** The status and the body of the first success. */
  readonly response: string;
}

const idempotencyHeader = 'idempotency-key';
const repeatedAtOnce = 8;
/** A response may take this long, with all attempts. */
const timeoutMs = 60_000;
const pauseMs = 100;

/**
 * Remembers what requests with an `Idempotency-Key` got. Whenever one is repeated, also after processes were killed, the response must be
 * the first one byte for byte.
 */
export class KeyedRequests {
  readonly #requests = new Map<string, KeyedRequest>();
  readonly #problems: string[] = [];

  /** In place of the `fetch` of a client whose requests are remembered. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const key = new Headers(init?.headers).get(idempotencyHeader);
    if (key === null || !response.ok) return response;
    const text = await response.text();
    const { pathname, search } = new URL(String(input));
    const body = Buffer.from((init?.body as Uint8Array | undefined) ?? []).toString();
    const request = { target: pathname + search, body, response: `${response.status} ${text}` };
    const first = this.#requests.get(key);
    if (first) this.#compare(key, first, request.response);
    else this.#requests.set(key, request);
    const { status, headers } = response;
    return new Response(text, { status, headers });
  };

  get count(): number {
    return this.#requests.size;
  }

  /** Repeats every request. Returns a sentence for each that did not get its first response, now or earlier. */
  async repeatAll(origin: string, holder: HolderCredentials): Promise<string[]> {
    const rest = this.#requests.entries();
    const repeatEach = async () => {
      for (const [key, request] of rest) await this.#repeat(origin, holder, key, request);
    };
    await Promise.all(Array.from({ length: repeatedAtOnce }, repeatEach));
    return this.#problems;
  }

  async #repeat(origin: string, holder: HolderCredentials, key: string, first: KeyedRequest): Promise<void> {
    const { target, body } = first;
    const headers = { 'content-type': 'application/json', [idempotencyHeader]: key };
    const signal = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const response = await fetch(origin + target, {
        method: 'POST',
        headers: { ...headers, ...signSimply(holder, body) },
        body,
        signal,
      });
      const again = `${response.status} ${await response.text()}`;
      // The first one is still being processed, or somebody else uses all places.
      if ([409, 429, 503].includes(response.status)) {
        await delay(pauseMs, undefined, { signal });
        continue;
      }
      this.#compare(key, first, again);
      if (response.ok && response.headers.get('idempotent-replayed') !== 'true')
        this.#problems.push(`The request to ${target} with the Idempotency-Key ${key} was executed again`);
      return;
    }
  }

  #compare(key: string, { target, response }: KeyedRequest, again: string): void {
    if (again === response) return;
    this.#problems.push(
      `The request to ${target} with the Idempotency-Key ${key} got another response: ${shorten(again)} in place of ${shorten(response)}`,
    );
  }
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

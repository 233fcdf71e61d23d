import { readBaseUrl } from '../base-url.ts';
import { type Credentials, readCredentials } from '../credentials.ts';
import type { KeyfrontOptions } from '../options.ts';
import { defaultRuntime, type Runtime } from '../runtime.ts';
import { attempt } from './attempt.ts';
import { isRepeatable } from './is-repeatable.ts';
import { type PreparedRequest, prepareRequest, type RequestToPrepare } from './prepare-request.ts';
import { readAnswer } from './read-answer.ts';
import { type RetryPolicy, retry } from './retry.ts';

export interface RequestToSend extends RequestToPrepare {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of a POST; made anew for each when not given. */
  readonly idempotencyKey?: string | undefined;
}

/** A request with all its headers, ready for any HTTP client. */
export interface SignedRequest extends PreparedRequest {
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests: makes the bytes once, signs them, and tries again where that helps. */
export class Transport {
  readonly baseUrl: string;
  readonly #credentials: Credentials;
  readonly #policy: RetryPolicy;
  readonly #runtime: Runtime;

  constructor(options: KeyfrontOptions) {
    this.baseUrl = readBaseUrl(options.baseUrl);
    this.#credentials = readCredentials(options);
    this.#policy = {
      timeoutMs: options.timeoutMs ?? 30_000,
      maxAttempts: options.maxAttempts ?? 5,
      deadlineMs: options.deadlineMs ?? 60_000,
      backoff: { baseMs: 250, capMs: 8_000, ...options.backoff },
    };
    this.#runtime = {
      ...defaultRuntime,
      ...options.runtime,
      ...(options.fetch && { fetch: unbound(options.fetch) }),
    };
  }

  /** How long the service may be silent. */
  get timeoutMs(): number {
    return this.#policy.timeoutMs;
  }

  /** Everything that goes over the wire, without sending it. */
  async sign(request: RequestToSend): Promise<SignedRequest> {
    const prepared = prepareRequest(this.baseUrl, request);
    const own: Record<string, string> = await this.#credentials(prepared.payload);
    if (prepared.body) own['content-type'] = 'application/json';
    const given = lowerCased(request.headers);
    if (prepared.method === 'POST') {
      own['idempotency-key'] = request.idempotencyKey ?? given['idempotency-key'] ?? crypto.randomUUID();
    }
    return { ...prepared, headers: { accept: 'application/json', ...given, ...own } };
  }

  /** Sends a request, again where that helps, and reads its answer. */
  async send<Result>(
    request: RequestToSend,
    read: (response: Response) => Promise<Result> = readAnswer,
  ): Promise<Result> {
    const { signal } = request;
    signal?.throwIfAborted();
    const { method, url, headers, body } = await this.sign(request);
    const init = {
      method,
      headers: new Headers(headers),
      redirect: 'manual',
      ...(body && { body: Uint8Array.from(body) }),
    } satisfies RequestInit;
    return retry(
      (timeoutMs) =>
        attempt({ url, timeoutMs, signal }, async (ending) =>
          read(await this.#runtime.fetch(url, { ...init, signal: ending })),
        ),
      this.#policy,
      this.#runtime,
      { method, signal, isRepeatable: isRepeatable(method, body) },
    );
  }
}

function unbound(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => fetch(input, init);
}

/** So that a header which is ours cannot stand there twice. */
function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

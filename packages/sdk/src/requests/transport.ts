import { readBaseUrl } from '../base-url.ts';
import { type Credentials, readCredentials } from '../credentials.ts';
import type { KeyfrontOptions } from '../options.ts';
import { defaultRuntime, type Runtime } from '../runtime.ts';
import { attempt } from './attempt.ts';
import type { RetrySafety } from './operation-route.ts';
import { type PreparedRequest, prepareRequest, type RequestToPrepare } from './prepare-request.ts';
import { readResponse } from './read-response.ts';
import { readRetryPolicy } from './read-retry-policy.ts';
import { type RetryPolicy, retry } from './retry.ts';
import { isRepeatable, needsIdempotencyKey } from './retry-safety.ts';

export interface RequestToSend extends RequestToPrepare {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The type of the body. The default is JSON. */
  readonly contentType?: string | undefined;
  /** Undefined for a request that matches no known operation. */
  readonly retry?: RetrySafety | undefined;
}

/** A request with all its headers, ready for any HTTP client. */
export interface SignedRequest extends PreparedRequest {
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests: encodes them once, signs them, and retries them. */
export class Transport {
  readonly baseUrl: string;
  readonly #credentials: Credentials;
  readonly #policy: RetryPolicy;
  readonly #runtime: Runtime;

  constructor(options: KeyfrontOptions) {
    // JavaScript callers may pass nothing at all.
    this.baseUrl = readBaseUrl(options?.baseUrl);
    this.#credentials = readCredentials(options);
    this.#policy = readRetryPolicy(options);
    this.#runtime = {
      ...defaultRuntime,
      ...options.runtime,
      ...(options.fetch && { fetch: unbound(options.fetch) }),
    };
  }

  /** Encodes and signs a request without sending it. */
  async sign(request: RequestToSend): Promise<SignedRequest> {
    const prepared = prepareRequest(this.baseUrl, request);
    const own: Record<string, string> = await this.#credentials(prepared.payload);
    if (prepared.body) own['content-type'] = request.contentType ?? 'application/json';
    const given = lowerCaseNames(request.headers);
    if (needsIdempotencyKey({ method: prepared.method, retry: request.retry })) {
      own['idempotency-key'] = request.idempotencyKey ?? given['idempotency-key'] ?? crypto.randomUUID();
    }
    return { ...prepared, headers: { accept: 'application/json', ...given, ...own } };
  }

  /** Sends a request, retries it if that is safe, and reads the response. */
  async send<Result>(
    request: RequestToSend,
    read: (response: Response) => Promise<Result> = (response) => readResponse(response, this.baseUrl),
  ): Promise<Result> {
    const { signal, retry: retrySafety } = request;
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
        this.attempt(
          async (attemptSignal) => read(await this.#runtime.fetch(url, { ...init, signal: attemptSignal })),
          signal,
          timeoutMs,
        ),
      this.#policy,
      this.#runtime,
      { signal, isRepeatable: isRepeatable({ method, body, retry: retrySafety }) },
    );
  }

  /** Resolves after the time. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#runtime.delay(ms * (0.5 + this.#runtime.random() / 2), signal);
  }

  /** Runs work under the time limit of one attempt. */
  attempt<Result>(
    run: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
    timeoutMs = this.#policy.timeoutMs,
  ): Promise<Result> {
    const { baseUrl } = this;
    return attempt({ baseUrl, timeoutMs, pageOrigin: this.#runtime.pageOrigin(), signal }, run);
  }
}

/** Browsers reject a `fetch` that is called as a method of another object. */
function unbound(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  if (typeof fetch !== 'function') throw new TypeError('fetch must be a function');
  return (input, init) => fetch(input, init);
}

/** Header names are case-insensitive: without this, a header could be sent twice. */
function lowerCaseNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

import { readBaseUrl } from '../base-url.ts';
import { type Credentials, readCredentials, type SignatureForm } from '../credentials.ts';
import type { KeyfrontOptions } from '../options.ts';
import { defaultRuntime, type Runtime } from '../runtime.ts';
import { attempt } from './attempt.ts';
import { readReason } from './error-from-response.ts';
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
  /** Whether the operation needs no credentials. */
  readonly isPublic?: boolean | undefined;
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
  /** The form in which requests are signed. Null until the service has accepted one. */
  #form: SignatureForm | null;

  constructor(options: KeyfrontOptions) {
    // JavaScript callers may pass nothing at all.
    this.baseUrl = readBaseUrl(options?.baseUrl);
    this.#credentials = readCredentials(options);
    this.#form = this.#credentials.form;
    this.#policy = readRetryPolicy(options);
    this.#runtime = {
      ...defaultRuntime,
      ...options.runtime,
      ...(options.fetch && { fetch: unbound(options.fetch) }),
    };
  }

  /** Encodes and signs a request without sending it. */
  async sign(request: RequestToSend, form = this.#form ?? 'bound'): Promise<SignedRequest> {
    return this.#authenticate(this.#prepare(request), form);
  }

  /** Encodes a request, without its credentials. */
  #prepare(request: RequestToSend): SignedRequest {
    const prepared = prepareRequest(this.baseUrl, request);
    const own: Record<string, string> = {};
    if (prepared.body) own['content-type'] = request.contentType ?? 'application/json';
    const given = lowerCaseNames(request.headers);
    if (needsIdempotencyKey({ method: prepared.method, retry: request.retry })) {
      own['idempotency-key'] = request.idempotencyKey ?? given['idempotency-key'] ?? crypto.randomUUID();
    }
    return { ...prepared, headers: { accept: 'application/json', ...given, ...own } };
  }

  async #authenticate(prepared: SignedRequest, form: SignatureForm): Promise<SignedRequest> {
    const credentials = await this.#credentials.authenticate(prepared, form);
    return { ...prepared, headers: { ...prepared.headers, ...credentials } };
  }

  /** Sends a request, retries it if that is safe, and reads the response. */
  async send<Result>(
    request: RequestToSend,
    read: (response: Response) => Promise<Result> = (response) => readResponse(response, this.baseUrl),
  ): Promise<Result> {
    const { signal } = request;
    signal?.throwIfAborted();
    const prepared = this.#prepare(request);
    const { method, body } = prepared;
    const deliver: Deliver<Result> = ({ url, headers }, accept, timeoutMs) => {
      // Outside of the attempt: an invalid header is a mistake of the program.
      const init = {
        ...{ method, headers: new Headers(headers), redirect: 'manual' },
        ...(body && { body: Uint8Array.from(body) }),
      } satisfies RequestInit;
      return this.attempt(
        async (attemptSignal) => {
          const response = await this.#runtime.fetch(url, { ...init, signal: attemptSignal });
          return (await accept(response)) ? { result: await read(response) } : { rejected: response };
        },
        signal,
        timeoutMs,
      );
    };
    const decides = this.#form === null && !request.isPublic;
    return retry(
      (timeoutMs) => this.#deliverInForm(prepared, deliver, { timeoutMs, decides, read }),
      this.#policy,
      this.#runtime,
      { signal, isRepeatable: isRepeatable({ ...request, method, body }) },
    );
  }

  /**
   * Signs and sends a request in the form that the service accepts, and finds out which one that is. Each attempt is signed anew, because
   * the service accepts a bound change once. Signing is not part of the attempt: its failure is not one of the connection.
   */
  async #deliverInForm<Result>(
    prepared: SignedRequest,
    deliver: Deliver<Result>,
    { timeoutMs, decides, read }: DeliveryOptions<Result>,
  ): Promise<Result> {
    const send = async (form: SignatureForm, accept: (response: Response) => Promise<boolean>) =>
      deliver(await this.#authenticate(prepared, form), accept, timeoutMs);
    const form = this.#form ?? 'bound';
    const first = await send(form, async (response) => {
      if (!decides || form === 'simple') return true;
      if (isAuthenticated(response)) this.#form ??= 'bound';
      // Another request may have found out meanwhile.
      return this.#form === 'bound' || !(await mayDependOnForm(response));
    });
    if ('result' in first) return first.result;
    const second = await send('simple', async (response) => {
      if (isAuthenticated(response)) this.#form ??= 'simple';
      return response.status !== 401;
    });
    if ('result' in second) return second.result;
    // Neither is accepted. The bound form is the one to mend, unless the simple one shows that it is not the form.
    const [shown, other] = (await mayDependOnForm(second.rejected)) ? [first, second] : [second, first];
    // Not awaited: the promise waits for all readers of a response that was cloned.
    other.rejected.body?.cancel().catch(() => undefined);
    return read(shown.rejected);
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

interface DeliveryOptions<Result> {
  readonly timeoutMs: number;
  /** Whether the response shows which form the service accepts. */
  readonly decides: boolean;
  readonly read: (response: Response) => Promise<Result>;
}

/** Sends a signed request, and reads its response if that is accepted. */
type Deliver<Result> = (
  signed: SignedRequest,
  accept: (response: Response) => Promise<boolean>,
  timeoutMs: number,
) => Promise<{ readonly result: Result } | { readonly rejected: Response }>;

/** Whether a response shows that the credentials were accepted. Many other errors are found before credentials are checked. */
function isAuthenticated({ ok, status }: Response): boolean {
  return ok || status === 403;
}

/** Whether a request may have been rejected because of the form of its signature. */
async function mayDependOnForm(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const envelope: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const { code, reason } = (envelope ?? {}) as { readonly code?: unknown; readonly reason?: unknown };
  if (boundReasons.test(readReason(reason, response.headers.get('www-authenticate')) ?? '')) return false;
  return !otherReasons.includes(code);
}

/**
 * Reasons that only a service gives that has read the bound signature: the clock of this machine is wrong, or the
 * request was sent twice. The simple form would hide that.
 */
const boundReasons = /^(created is |the signature has expired: |the nonce was used before)/;
const otherReasons: readonly unknown[] = ['API_KEY_UNKNOWN', 'API_KEY_EXPIRED', 'TOKEN_REQUIRED'];

/** Browsers reject a `fetch` that is called as a method of another object. */
function unbound(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  if (typeof fetch !== 'function') throw new TypeError('fetch must be a function');
  return (input, init) => fetch(input, init);
}

/** Header names are case-insensitive: without this, a header could be sent twice. */
function lowerCaseNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

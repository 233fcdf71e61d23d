import type { Runtime } from './runtime.ts';
import type { Signer } from './signing/signer.ts';

/** Options that do not depend on the credentials. */
export interface ConnectionOptions {
  /** URL of the service, with or without `/api/v1`. */
  readonly baseUrl: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Time limit of one attempt.
   *
   * @defaultValue 30000
   */
  readonly timeoutMs?: number;
  /**
   * How often a request is sent at most.
   *
   * @defaultValue 5
   */
  readonly maxAttempts?: number;
  /**
   * Time limit of all attempts together.
   *
   * @defaultValue 60000
   */
  readonly deadlineMs?: number;
  /**
   * Pauses between attempts: a random part of `baseMs`, which doubles with each attempt up to `capMs`.
   *
   * @defaultValue `{ baseMs: 250, capMs: 8000 }`
   */
  readonly backoff?: { readonly baseMs?: number; readonly capMs?: number };
  /** Replaces clock, delays and randomness in tests. */
  readonly runtime?: Partial<Omit<Runtime, 'fetch'>>;
}

// Credentials accept `undefined`, so that an unset environment variable fails in the constructor with a message that names
// the option, and not in the compiler of a caller who then adds `?? ''`.

/** How requests are signed. */
export interface SigningOptions {
  /**
   * - `bound`: a signature covers the method, the URL, the body and the time of its request, and is valid for nothing else. The service
   *   must be reached at the URL that it knows as its own.
   * - `simple`: a signature covers the body or the query only. Whoever captures it can use it again.
   * - `auto`: the first request is bound. If the service does not accept that, it is sent again in the simple form, and the client keeps the
   *   form that was accepted.
   *
   * @defaultValue 'auto'
   */
  readonly signatures?: 'auto' | 'bound' | 'simple';
}

/** Signs requests with the secret key of an API key. */
export interface SecretKeyOptions extends SigningOptions {
  /** The public key as `POST /keys` returns it, or its PEM. Must not be undefined. */
  readonly apiKey: string | undefined;
  /** A secp256k1 private key: PEM, or PKCS#8 or SEC1 as bytes; each of them also in Base64. Must not be undefined. */
  readonly secretKey: string | Uint8Array | undefined;
  readonly signer?: never;
  readonly token?: never;
}

/** Signs requests with a signer of your own. */
export interface SignerOptions extends SigningOptions {
  /** The public key as `POST /keys` returns it, or its PEM. Must not be undefined. */
  readonly apiKey: string | undefined;
  readonly secretKey?: never;
  /** Must not be undefined. */
  readonly signer: Signer | undefined;
  readonly token?: never;
}

/** Sends the token of a signed-in wallet. */
export interface TokenOptions {
  readonly apiKey?: never;
  readonly secretKey?: never;
  readonly signer?: never;
  /** The token that `POST /auth/signIn` returns. Must not be undefined. */
  readonly token: string | undefined;
}

/** No credentials: only public operations are available. */
export interface AnonymousOptions {
  readonly apiKey?: never;
  readonly secretKey?: never;
  readonly signer?: never;
  readonly token?: never;
}

export type KeyfrontOptions = ConnectionOptions &
  (SecretKeyOptions | SignerOptions | TokenOptions | AnonymousOptions);

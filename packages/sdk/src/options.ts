import type { Runtime } from './runtime.ts';
import type { Signer } from './signing/signer.ts';

/** What is not about who calls. */
interface CommonOptions {
  /** Where the service is, with or without `/api/v1`. */
  readonly baseUrl: string;
  /** Used in place of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** How long one attempt may take; 30 seconds when not given. */
  readonly timeoutMs?: number;
  /** How often a request is sent at most; 5 when not given. */
  readonly maxAttempts?: number;
  /** How long all attempts together may take; 60 seconds when not given. */
  readonly deadlineMs?: number;
  /** Pauses between attempts: a random part of `baseMs` (250), doubled with each attempt up to `capMs` (8000). */
  readonly backoff?: { readonly baseMs?: number; readonly capMs?: number };
  /** Clock, pauses and chance, for tests. */
  readonly runtime?: Partial<Omit<Runtime, 'fetch'>>;
}

/** Requests are signed with the secret of an API key. */
interface SecretKeyOptions {
  /** The public key as `POST /keys` gives it, or its PEM. */
  readonly apiKey: string;
  /** PEM, PKCS#8 or SEC1; the two latter as bytes, each of them also in Base64. */
  readonly secretKey: string | Uint8Array;
  readonly signer?: undefined;
  readonly token?: undefined;
}

/** Requests are signed by a signer of your own. */
interface SignerOptions {
  readonly apiKey: string;
  readonly secretKey?: undefined;
  readonly signer: Signer;
  readonly token?: undefined;
}

/** Requests carry the token of a signed-in wallet. */
interface TokenOptions {
  readonly apiKey?: undefined;
  readonly secretKey?: undefined;
  readonly signer?: undefined;
  readonly token: string;
}

/** Public operations only. */
interface NobodyOptions {
  readonly apiKey?: undefined;
  readonly secretKey?: undefined;
  readonly signer?: undefined;
  readonly token?: undefined;
}

export type KeyfrontOptions = CommonOptions &
  (SecretKeyOptions | SignerOptions | TokenOptions | NobodyOptions);

/** Where the guides are. They lie in the repository of the service. */
export const guides = 'docs/guides';

export interface ErrorFacts {
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** What every call rejects with, but for an abort of the caller's own. No credential is ever in it. */
export class KeyfrontError extends Error {
  override readonly name: string = 'KeyfrontError';
  /** The status of the answer; null where there was none. */
  readonly status: number | null;
  /** Names the request in the logs of the service: quote it when you ask about one. */
  readonly requestId: string | null;
  /** The page that explains it. */
  readonly docsUrl: string = `${guides}/errors.md`;
  /** How long the service asks to wait before the next attempt. */
  readonly retryAfterMs: number | null;

  constructor(message: string, { status, requestId, retryAfterMs, cause }: ErrorFacts = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status ?? null;
    this.requestId = requestId ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
  }
}

/** 400: the request breaks rules. */
export class ValidationError extends KeyfrontError {
  override readonly name = 'ValidationError';
  /** One for each broken rule, each beginning with the field. */
  readonly sentences: readonly string[];

  constructor(sentences: readonly string[], facts?: ErrorFacts) {
    super(sentences.join('; '), facts);
    this.sentences = sentences;
  }
}

/** 401: the service does not accept the credentials. */
export class AuthenticationError extends KeyfrontError {
  override readonly name = 'AuthenticationError';
  override readonly docsUrl = `${guides}/signing.md`;
  /** What exactly is wrong with them, from the header `WWW-Authenticate`. */
  readonly reason: string | null;

  constructor(message: string, reason: string | null, facts?: ErrorFacts) {
    super(reason === null ? message : `${message}: ${reason}`, facts);
    this.reason = reason;
  }
}

/** 403: it belongs to another, or its state does not permit the call. */
export class ForbiddenError extends KeyfrontError {
  override readonly name = 'ForbiddenError';
}

/** 404: there is no such thing. */
export class NotFoundError extends KeyfrontError {
  override readonly name = 'NotFoundError';
}

/** 409 and 422: the idempotency key is in use, or was used for another request. */
export class ConflictError extends KeyfrontError {
  override readonly name = 'ConflictError';
  override readonly docsUrl = `${guides}/orders.md#retries-done-right`;
}

/** 429: too many requests. */
export class RateLimitError extends KeyfrontError {
  override readonly name = 'RateLimitError';
}

/** 500 and above, and answers that do not come from a Keyfront. */
export class ServerError extends KeyfrontError {
  override readonly name = 'ServerError';
}

/** There was no answer, or only a part of one. */
export class ConnectionError extends KeyfrontError {
  override readonly name = 'ConnectionError';
}

import type { ErrorCode } from './generated/error-codes.ts';

/** What is known about an error besides its message. */
export interface ErrorDetails {
  readonly status?: number | null;
  readonly code?: KeyfrontErrorCode | null;
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly docsUrl?: string | null;
  readonly cause?: unknown;
}

/** A known error code, or one that a newer service added. */
export type KeyfrontErrorCode = ErrorCode | (string & Record<never, never>);

/** The base class of all errors that calls reject with. It never contains a credential. */
export class KeyfrontError extends Error {
  override readonly name: string = 'KeyfrontError';
  /** HTTP status of the response; null if there was none. */
  readonly status: number | null;
  /** Stable name of the error, such as `CART_EMPTY`; null if the response had none. */
  readonly code: KeyfrontErrorCode | null;
  /** Id of the request in the logs of the service. Quote it in a support request. */
  readonly requestId: string | null;
  /** URL of the page that explains the error, on the service that was called; null if it is not certain that the service is there. */
  readonly docsUrl: string | null;
  /** How long the service asks the client to wait before the next attempt. */
  readonly retryAfterMs: number | null;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status ?? null;
    this.code = details.code ?? null;
    this.requestId = details.requestId ?? null;
    this.docsUrl = details.docsUrl ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** 400: the request violates validation rules. */
export class ValidationError extends KeyfrontError {
  override readonly name = 'ValidationError';
  /** One sentence for each violated rule. Each begins with the path of the field. */
  readonly issues: readonly string[];

  constructor(issues: readonly string[], details?: ErrorDetails) {
    super(issues.join('; '), details);
    this.issues = issues;
  }

  /** @deprecated Use `issues`. */
  get sentences(): readonly string[] {
    return this.issues;
  }
}

/** 401: the service does not accept the credentials. */
export class AuthenticationError extends KeyfrontError {
  override readonly name = 'AuthenticationError';
  /** What is wrong with the credentials. */
  readonly reason: string | null;

  constructor(message: string, reason: string | null, details?: ErrorDetails) {
    super(reason === null ? message : `${message}: ${reason}`, details);
    this.reason = reason;
  }
}

/** 403: the resource belongs to another holder, or its state does not permit the operation. */
export class ForbiddenError extends KeyfrontError {
  override readonly name = 'ForbiddenError';
}

/** 404: the resource does not exist. */
export class NotFoundError extends KeyfrontError {
  override readonly name = 'NotFoundError';
}

/** 409, 410 and 422: the request conflicts with an existing resource or with an earlier use of its idempotency key. */
export class ConflictError extends KeyfrontError {
  override readonly name = 'ConflictError';
}

/** 429: too many requests. */
export class RateLimitError extends KeyfrontError {
  override readonly name = 'RateLimitError';
}

/** 500 and above, and responses that do not come from Keyfront. */
export class ServerError extends KeyfrontError {
  override readonly name = 'ServerError';
}

/** There was no response, or it was cut off. */
export class ConnectionError extends KeyfrontError {
  override readonly name = 'ConnectionError';
}

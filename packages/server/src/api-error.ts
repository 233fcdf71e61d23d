import { type ErrorCode, errorTable } from '@keyfront/protocol';

interface ApiErrorDetails {
  /** The public sentence, where the operation has a more telling one than the table. */
  readonly message?: string;
  /** The sentences of a failed validation. */
  readonly sentences?: string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only; never sent. */
  readonly cause?: unknown;
}

/** An answer other than success. Made from the one table; what it carries is public, but for its cause. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly sentences: string[] | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(details.message ?? errorTable[code].message, { cause: details.cause });
    this.code = code;
    this.status = errorTable[code].status;
    this.sentences = details.sentences ?? null;
    this.headers = details.headers ?? {};
  }
}

/** For what is not in the caller's scope: 403 where it is another's, 404 where there is none. `noun` begins a sentence. */
export function notInScope(noun: string, isThere: boolean): ApiError {
  if (isThere) return forbidden(`${noun} belongs to another holder or digital key`);
  return notFound(noun);
}

/** For what does not exist. `noun` begins a sentence. */
export function notFound(noun: string): ApiError {
  return new ApiError('NOT_FOUND', { message: `${noun} not found` });
}

/** For what is not allowed, or what the state of things does not permit, with the sentence that says why. */
export function forbidden(message: string): ApiError {
  return new ApiError('FORBIDDEN', { message });
}

export function validationFailed(sentences: string[]): ApiError {
  return new ApiError('VALIDATION_FAILED', { sentences });
}

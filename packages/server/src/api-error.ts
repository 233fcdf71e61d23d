import { type ErrorCode, errorTable } from '@keyfront/protocol';

interface ApiErrorDetails {
  /** A more specific message than that of the table. */
  readonly message?: string;
  /** The issues of a failed validation. */
  readonly issues?: string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only; never sent. */
  readonly cause?: unknown;
}

/** An error response. Everything it carries is public, except its cause. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly issues: string[] | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(details.message ?? errorTable[code].message, { cause: details.cause });
    this.code = code;
    this.status = errorTable[code].status;
    this.issues = details.issues ?? null;
    this.headers = details.headers ?? {};
  }
}

/** The error for a resource outside the caller's scope: 403 if it exists, else 404. `noun` begins a sentence. */
export function notInScope(noun: string, exists: boolean): ApiError {
  if (exists)
    return new ApiError('NOT_OWNED', { message: `${noun} belongs to another holder or digital key` });
  return notFound(noun);
}

/** The error for a resource that does not exist. `noun` begins a sentence. */
export function notFound(noun: string): ApiError {
  return new ApiError('RESOURCE_NOT_FOUND', { message: `${noun} not found` });
}

export function validationFailed(issues: string[]): ApiError {
  return new ApiError('VALIDATION_FAILED', { issues });
}

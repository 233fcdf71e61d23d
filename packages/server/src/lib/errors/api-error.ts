import { describeBodyLimit, type ErrorCode, errorTable, maximumIssues } from '@keyfront/protocol';
import type { Actor } from './actor.ts';
import { shorten } from './shorten.ts';

interface ApiErrorDetails {
  /** A more specific message than that of the table. */
  readonly message?: string;
  /** The issues of a failed validation. */
  readonly issues?: string[];
  /** What is wrong with the credentials of a 401. */
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only; never sent. */
  readonly cause?: unknown;
  /** Who was rejected, for the security log only. Needed where the request has no authenticated caller. */
  readonly actor?: Actor;
}

/** An error response. Everything it carries is public, except its cause and actor. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly issues: string[] | null;
  readonly reason: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly actor: Actor | null;

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(details.message ?? errorTable[code].message, { cause: details.cause });
    this.code = code;
    this.status = errorTable[code].status;
    this.issues = details.issues ?? null;
    this.reason = details.reason ?? null;
    this.headers = details.headers ?? {};
    this.actor = details.actor ?? null;
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

/** The error for a body that is larger than its operation reads. */
export function payloadTooLarge(limitBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', { message: describeBodyLimit(limitBytes) });
}

/** An issue may quote a name that the caller made up. */
const maximumIssueLength = 500;
/** As JSON, where a character may take six bytes. Leaves room for the rest of a response of 16 KiB. */
const maximumIssueBytes = 12 * 1024;

/** The error for input that violates rules. It reports the first issues if there are many. */
export function validationFailed(issues: readonly string[]): ApiError {
  const reported: string[] = [];
  let bytes = 0;
  for (const issue of issues.slice(0, maximumIssues)) {
    const shortened = shorten(issue, maximumIssueLength);
    bytes += Buffer.byteLength(JSON.stringify(shortened)) + 1;
    if (bytes > maximumIssueBytes) break;
    reported.push(shortened);
  }
  return new ApiError('VALIDATION_FAILED', { issues: reported });
}

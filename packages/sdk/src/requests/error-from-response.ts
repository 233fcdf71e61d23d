import {
  AuthenticationError,
  ConflictError,
  type ErrorDetails,
  ForbiddenError,
  KeyfrontError,
  NotFoundError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../errors.ts';

interface ErrorBody {
  readonly message: unknown;
  readonly reason?: unknown;
  readonly data: unknown;
}

/** The error that an error response stands for. The status selects the class. */
export function errorFromResponse(
  { message, reason: given, data }: ErrorBody,
  wwwAuthenticate: string | null,
  details: ErrorDetails & { readonly status: number },
): KeyfrontError {
  const { status } = details;
  const text = listTexts(message).join('; ') || `The service responded with ${status}`;
  if (status === 400) {
    const issues = [data, message].map(listTexts).find(({ length }) => length > 0);
    return new ValidationError(issues ?? [text], details);
  }
  if (status === 401) {
    const reason = readReason(given, wwwAuthenticate);
    return new AuthenticationError(text, reason && explainClock(reason), details);
  }
  if (status === 403) return new ForbiddenError(text, details);
  if (status === 404) return new NotFoundError(text, details);
  if ([409, 410, 422].includes(status)) return new ConflictError(text, details);
  if (status === 429) return new RateLimitError(text, details);
  if (status >= 500) return new ServerError(text, details);
  return new KeyfrontError(text, details);
}

/** The issues of a failed validation are in `data`, or in a variant of the envelope in `message`. */
function listTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

/** A signature of the wrong time means that the clock of this machine is wrong, not the signature. */
function explainClock(reason: string): string {
  const [, seconds, direction] = /^created is (\d+) seconds (before|after) /.exec(reason) ?? [];
  if (seconds === undefined) return reason;
  const side = direction === 'before' ? 'behind' : 'ahead of';
  return `the clock of this machine is ${seconds} seconds ${side} that of the service: synchronize it, for example with NTP (${reason})`;
}

/** The reason of a 401: that of its body, or else of its `WWW-Authenticate`, where older services have it. */
export function readReason(given: unknown, wwwAuthenticate: string | null): string | null {
  if (typeof given === 'string') return given;
  const [, quoted] = /error_description="((?:[^"\\]|\\.)*)"/.exec(wwwAuthenticate ?? '') ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? null;
}

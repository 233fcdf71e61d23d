import { ConnectionError, KeyfrontError } from '../errors.ts';

const passing = new Set([408, 500, 502, 503, 504]);

export interface RetryableRequest {
  readonly method: string;
  readonly isRepeatable: boolean;
}

/** Whether the same request may succeed later, and does no harm if the first attempt did its work. */
export function mayRetry(error: unknown, { method, isRepeatable }: RetryableRequest): error is KeyfrontError {
  if (!(error instanceof KeyfrontError)) return false;
  // The service has refused it before anything was done.
  if (error.status === 429) return true;
  if (!isRepeatable) return false;
  if (error instanceof ConnectionError) return true;
  return passing.has(error.status ?? 0) || (error.status === 409 && method === 'POST');
}

import { ConnectionError, KeyfrontError } from '../errors.ts';

const transientStatuses = new Set([408, 500, 502, 503, 504]);

/** Whether the same request may succeed later. `isRepeatable` says whether it may have taken effect already. */
export function isRetryable(error: unknown, isRepeatable: boolean): error is KeyfrontError {
  if (!(error instanceof KeyfrontError)) return false;
  // The service rejects these requests before it starts to work on them.
  if (error.status === 429 || error.code === 'OVERLOADED') return true;
  if (!isRepeatable) return false;
  if (error instanceof ConnectionError) return true;
  return transientStatuses.has(error.status ?? 0) || error.code === 'IDEMPOTENCY_KEY_IN_USE';
}

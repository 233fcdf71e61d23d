import { KeyfrontError } from '@keyfront/sdk';
import { useState } from 'react';

/**
 * Whether the service has refused a request, so that it has done nothing. Without an answer, nobody knows. What it says about the key
 * itself is about an earlier try.
 */
export function isRefusal(error: Error): boolean {
  if (!(error instanceof KeyfrontError) || error.status === null) return false;
  return error.status < 500 && !error.code?.startsWith('IDEMPOTENCY_');
}

/**
 * The `Idempotency-Key` of what a dialog does. Another try has the same one, so that what was done without an answer is not done
 * twice. After a refusal there is a new one, with which the service looks again.
 */
export function useIdempotencyKey(): [string, (error: Error) => void] {
  const [key, setKey] = useState(() => crypto.randomUUID() as string);
  const renewAfter = (error: Error) => {
    if (isRefusal(error)) setKey(crypto.randomUUID());
  };
  return [key, renewAfter];
}

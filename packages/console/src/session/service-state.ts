import { ConnectionError, ServerError } from '@keyfront/sdk';
import { useSyncExternalStore } from 'react';

/** Since when the service has not answered, in milliseconds. Null while it does. */
let awaySinceMs: number | null = null;
const listeners = new Set<() => void>();

window.addEventListener('offline', noteSilence);

/** The service has answered a request. */
export function noteAnswer(): void {
  replace(null);
}

/** A request has got no answer. */
export function noteSilence(): void {
  replace(awaySinceMs ?? Date.now());
}

/** Takes note of what a failure says about the service: that it is away, or that it has answered. */
export function noteFailure(error: Error): void {
  const isAway =
    error instanceof ConnectionError ||
    (error instanceof ServerError && (error.code === null || error.status === 503));
  if (isAway) noteSilence();
}

export function useAwaySince(): number | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => awaySinceMs,
  );
}

function replace(next: number | null): void {
  if (next === awaySinceMs) return;
  awaySinceMs = next;
  for (const listener of listeners) listener();
}

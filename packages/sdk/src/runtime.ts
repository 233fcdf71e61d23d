/** What the client needs from its environment. Tests replace parts of it. */
export interface Runtime {
  readonly fetch: typeof globalThis.fetch;
  /** Monotonic time in milliseconds. */
  readonly now: () => number;
  /** Resolves after the time. Rejects with the reason of the signal if that aborts first. */
  readonly delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  /** Origin of the page or worker that runs in a browser; null outside of browsers. */
  readonly pageOrigin: () => string | null;
}

export const defaultRuntime: Runtime = {
  // Looked up on each call, and called on the global: browsers reject a fetch that is called as a method of another object.
  fetch: (input, init) => globalThis.fetch(input, init),
  now: () => performance.now(),
  delay,
  random: Math.random,
  pageOrigin: () => (globalThis as { location?: { origin: string } }).location?.origin ?? null,
};

function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

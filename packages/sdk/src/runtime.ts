/** What the client takes from the world around it. Tests bring their own. */
export interface Runtime {
  readonly fetch: typeof globalThis.fetch;
  /** In milliseconds. */
  readonly now: () => number;
  /** Rejects with the reason of the signal when that is aborted. */
  readonly delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export const defaultRuntime: Runtime = {
  // Through the global each time: browsers refuse a fetch that is called as the method of something else.
  fetch: (input, init) => globalThis.fetch(input, init),
  now: () => performance.now(),
  delay,
  random: Math.random,
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

import { ConnectionError, KeyfrontError } from '../errors.ts';

export interface Attempt {
  readonly url: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs one attempt under its own time limit. Whatever goes wrong on the way, and is no answer of the service, becomes a
 * ConnectionError; an abort of the caller stays what it is.
 */
export async function attempt<Result>(
  { url, timeoutMs, signal }: Attempt,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    ending.abort();
  }, timeoutMs);
  try {
    return await run(ending.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof KeyfrontError) throw error;
    const { origin } = new URL(url);
    if (isTooLate) throw new ConnectionError(`No answer from ${origin} within ${Math.round(timeoutMs)} ms`);
    throw new ConnectionError(`The connection to ${origin} failed${causeOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Node says why only in the cause; browsers do not say it at all. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause !== 'object' || cause === null) return '';
  if ('code' in cause && typeof cause.code === 'string') return `: ${cause.code}`;
  return cause instanceof Error && cause.message ? `: ${cause.message}` : '';
}

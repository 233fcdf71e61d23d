import { ConnectionError, KeyfrontError } from '../errors.ts';
import { describeConnectionFailure } from './describe-connection-failure.ts';

export interface AttemptOptions {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly pageOrigin: string | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs one attempt under its own time limit. A failure that is not a response of the service becomes a `ConnectionError`. If
 * the caller aborts, the attempt rejects with the reason of the caller's signal.
 */
export async function attempt<Result>(
  { baseUrl, timeoutMs, pageOrigin, signal }: AttemptOptions,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  let hasTimedOut = false;
  const timer = setTimeout(() => {
    hasTimedOut = true;
    controller.abort();
  }, timeoutMs);
  try {
    return await run(controller.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof KeyfrontError) throw error;
    const message = hasTimedOut
      ? `No response from ${new URL(baseUrl).origin} within ${Math.round(timeoutMs)} ms`
      : describeConnectionFailure(baseUrl, error, pageOrigin);
    // Without a link: the guides are on the service that cannot be reached.
    throw new ConnectionError(message, hasTimedOut ? {} : { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

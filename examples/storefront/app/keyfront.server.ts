import {
  ConnectionError,
  Keyfront,
  KeyfrontError,
  NotFoundError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '@keyfront/sdk';
import { data } from 'react-router';
import { apiKey, keyfrontUrl, secretKey } from './settings.server.ts';

/** The SDK. Only files that end in `.server.ts`, loaders and actions may use it: the bundler keeps them off the browser. */
export const keyfront = new Keyfront({
  baseUrl: keyfrontUrl,
  apiKey,
  secretKey,
  // A visitor waits for the page meanwhile. What matters more than a page, such as an order, can be sent again.
  deadlineMs: 10_000,
});

/** Pictures have addresses of the service. */
export function pictureUrl(path: string | null): string | null {
  return path && new URL(path, keyfrontUrl).href;
}

/** Whether the service cannot be reached, or has too much to do, after all attempts of the SDK. */
export function isAway(error: unknown): boolean {
  return [ConnectionError, ServerError, RateLimitError].some((type) => error instanceof type);
}

/** Reads from the service for a page. Turns what may happen to every page into a response that the error page shows. */
export async function read<Result>(result: PromiseLike<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    // Invalid is what a visitor has written into the address, such as an id that is none.
    if (error instanceof NotFoundError || error instanceof ValidationError) throw data(null, { status: 404 });
    if (isAway(error)) throw data(null, { status: 503, headers: { 'retry-after': '5' } });
    if (error instanceof KeyfrontError) console.error(error.message, error.requestId);
    throw error;
  }
}

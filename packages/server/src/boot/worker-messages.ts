import type { Grant, LedgerMessage } from '@keyfront/rate-limiter';
import type { ServiceSettings } from './service.ts';

/**
 * Messages from the primary process to a worker. Settings are sent as a message rather than as arguments or environment
 * variables because they contain secrets.
 */
export type ToWorker =
  | { readonly keyfront: 'serve'; readonly settings: ServiceSettings }
  | { readonly keyfront: 'close' }
  | { readonly keyfront: 'metrics'; readonly id: number; readonly text: string }
  | { readonly keyfront: 'grant'; readonly grant: Grant };

/** Messages from a worker to the primary process. */
export type FromWorker =
  /** The worker receives messages from now on. Messages that are sent before would be lost. */
  | { readonly keyfront: 'listening' }
  | { readonly keyfront: 'serving'; readonly baseUrl: string }
  | { readonly keyfront: 'failed'; readonly reason: string }
  | { readonly keyfront: 'read metrics'; readonly id: number }
  | { readonly keyfront: 'count'; readonly message: LedgerMessage };

/** Distinguishes these messages from those of prom-client, which use the same channel. */
export function isKeyfrontMessage(message: unknown): message is { keyfront: string } {
  return typeof message === 'object' && message !== null && 'keyfront' in message;
}

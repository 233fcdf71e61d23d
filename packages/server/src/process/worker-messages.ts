import type { Grant, LedgerMessage } from '../rate-limit/ledger-messages.ts';
import type { ServeSettings } from './serve.ts';

/** What the first process tells a worker. Settings go this way, not by arguments or the environment: they hold secrets. */
export type ToWorker =
  | { readonly keyfront: 'serve'; readonly settings: ServeSettings }
  | { readonly keyfront: 'close' }
  | { readonly keyfront: 'metrics'; readonly id: number; readonly text: string }
  | { readonly keyfront: 'grant'; readonly grant: Grant };

/** What a worker tells the first process. */
export type FromWorker =
  /** It listens to messages from now on; earlier ones would be lost. */
  | { readonly keyfront: 'listening' }
  | { readonly keyfront: 'serving'; readonly baseUrl: string }
  | { readonly keyfront: 'failed'; readonly sentence: string }
  | { readonly keyfront: 'read metrics'; readonly id: number }
  | { readonly keyfront: 'count'; readonly message: LedgerMessage };

/** Other messages pass through the same channel: those of the metrics library. */
export function isKeyfrontMessage(message: unknown): message is { keyfront: string } {
  return typeof message === 'object' && message !== null && 'keyfront' in message;
}

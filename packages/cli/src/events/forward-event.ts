import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { KeyfrontEvent } from '@keyfront/sdk';
import type { Context } from '../context.ts';

export interface ForwardTarget {
  readonly url: string;
  readonly secret: string;
  /** Called when the receiver cannot be reached, the first time for each event. */
  readonly onUnreachable: () => void;
}

const timeoutMs = 15_000;
const longestPauseMs = 5_000;

/**
 * Sends an event to a receiver as a webhook would, signed. Tries again until the receiver can be reached, so that it may be restarted.
 * Returns the status of its response.
 */
export async function forwardEvent(
  { fetch, now, signal }: Pick<Context, 'fetch' | 'now' | 'signal'>,
  event: KeyfrontEvent,
  { url, secret, onUnreachable }: ForwardTarget,
): Promise<number> {
  const { createdAt: timestamp, ...rest } = event;
  const body = JSON.stringify({ ...rest, timestamp });
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const seconds = Math.floor(now().getTime() / 1000);
    const signature = createHmac('sha256', key).update(`${event.id}.${seconds}.${body}`).digest('base64');
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'webhook-id': event.id,
          'webhook-timestamp': String(seconds),
          'webhook-signature': `v1,${signature}`,
        },
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DOMException && error.name === 'TimeoutError') return 0;
      if (pauseMs === 250) onUnreachable();
      await delay(pauseMs, undefined, { signal });
    }
  }
}

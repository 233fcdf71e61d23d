import { BoundedMap } from '../../../bounded-map.ts';
import { retryFlag, tokenFlag, tokenRetryFlag } from './delivery-queries.ts';

/** How many jobs and requests a process has at a time. */
export interface RequestLimits {
  /** Jobs. Each is for one webhook. */
  readonly total: number;
  /** Requests to one webhook. */
  readonly perWebhook: number;
  /** Jobs of one digital key, however many webhooks it has. */
  readonly perToken: number;
  /** Jobs for endpoints that have failed, are slow, or were not called yet. The rest is for the others, however many endpoints hang. */
  readonly retries: number;
  /** The same of one digital key. */
  readonly retriesPerToken: number;
}

export const defaultRequestLimits: RequestLimits = {
  total: 24,
  perWebhook: 4,
  perToken: 8,
  retries: 12,
  retriesPerToken: 4,
};

/** Whose job it is. */
export interface JobOwner {
  readonly webhookId: string;
  readonly tokenId: number;
}

/** How many endpoints are remembered as proven. */
const maxProven = 10_000;

/** Counts the jobs of a process, so that no endpoint and no digital key takes the place of another one. */
export class OpenRequests {
  readonly #limits: RequestLimits;
  readonly #webhooks = new Counts<string>();
  readonly #tokens = new Counts<number>();
  readonly #retryTokens = new Counts<number>();
  /** Webhooks whose last job went well. */
  readonly #proven = new BoundedMap<true>(maxProven);
  #retries = 0;

  constructor(limits: RequestLimits) {
    this.#limits = limits;
  }

  /** The flags of jobs that would be too many. */
  get forbiddenFlags(): string[] {
    const { perWebhook, perToken, retries, retriesPerToken } = this.#limits;
    return [
      ...this.#webhooks.listFrom(perWebhook),
      ...this.#tokens.listFrom(perToken).map(tokenFlag),
      ...this.#retryTokens.listFrom(retriesPerToken).map(tokenRetryFlag),
      ...(this.#retries >= retries ? [retryFlag] : []),
    ];
  }

  /** Begins a job with so many requests. Returns a function that ends it, or null if there are too many. */
  begin({ webhookId, tokenId }: JobOwner, isRetry: boolean, requests: number): (() => void) | null {
    const { perWebhook, perToken, retries, retriesPerToken } = this.#limits;
    const countsAsRetry = isRetry || !this.isProven(webhookId);
    const open = this.#webhooks.get(webhookId);
    if ((open > 0 && open + requests > perWebhook) || this.#tokens.get(tokenId) >= perToken) return null;
    if (countsAsRetry && (this.#retries >= retries || this.#retryTokens.get(tokenId) >= retriesPerToken))
      return null;
    const count = (change: 1 | -1) => {
      this.#webhooks.add(webhookId, change * requests);
      this.#tokens.add(tokenId, change);
      if (!countsAsRetry) return;
      this.#retryTokens.add(tokenId, change);
      this.#retries += change;
    };
    count(1);
    return () => count(-1);
  }

  /** Remembers whether the last job of a webhook went well: no request failed, and none was slow. */
  recordOutcome(webhookId: string, wentWell: boolean): void {
    if (wentWell) this.#proven.set(webhookId, true);
    else this.#proven.delete(webhookId);
  }

  /**
   * Whether the last job of the webhook went well. Until then its jobs count as retries. Otherwise a digital key could
   * create new webhooks all the time, each of which would hang once.
   */
  isProven(webhookId: string): boolean {
    return this.#proven.get(webhookId) === true;
  }
}

class Counts<Key> {
  readonly #counts = new Map<Key, number>();

  get(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key, change: number): void {
    const count = this.get(key) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  /** Lists the keys that have this count or more. */
  listFrom(least: number): Key[] {
    return [...this.#counts].filter(([, count]) => count >= least).map(([key]) => key);
  }
}

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

/** How many endpoints are remembered as good. */
const maxGood = 10_000;

/** Counts the jobs of a process, so that no endpoint and no digital key takes the place of another one. */
export class OpenRequests {
  readonly #limits: RequestLimits;
  readonly #webhooks = new Counts<string>();
  readonly #tokens = new Counts<number>();
  readonly #badTokens = new Counts<number>();
  /** Webhooks whose last job went well, the one that was used longest ago first. */
  readonly #good = new Set<string>();
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
      ...this.#badTokens.listFrom(retriesPerToken).map(tokenRetryFlag),
      ...(this.#retries >= retries ? [retryFlag] : []),
    ];
  }

  /** Begins a job with so many requests. Returns a function that ends it, or null if there are too many. */
  begin({ webhookId, tokenId }: JobOwner, isRetry: boolean, requests: number): (() => void) | null {
    const { perWebhook, perToken, retries, retriesPerToken } = this.#limits;
    const isBad = isRetry || this.isBad(webhookId);
    const open = this.#webhooks.get(webhookId);
    if ((open > 0 && open + requests > perWebhook) || this.#tokens.get(tokenId) >= perToken) return null;
    if (isBad && (this.#retries >= retries || this.#badTokens.get(tokenId) >= retriesPerToken)) return null;
    const count = (change: 1 | -1) => {
      this.#webhooks.add(webhookId, change * requests);
      this.#tokens.add(tokenId, change);
      if (!isBad) return;
      this.#badTokens.add(tokenId, change);
      this.#retries += change;
    };
    count(1);
    return () => count(-1);
  }

  /** Remembers whether the endpoint is bad: it has failed, or was slow. */
  note(webhookId: string, isBad: boolean): void {
    this.#good.delete(webhookId);
    if (!isBad) this.#good.add(webhookId);
    const [oldest] = this.#good;
    if (this.#good.size > maxGood && oldest !== undefined) this.#good.delete(oldest);
  }

  /**
   * Whether the endpoint has not proved to be good: its events wait like retries. Otherwise a digital key could make new webhooks all
   * the time, each of which would hang once.
   */
  isBad(webhookId: string): boolean {
    return !this.#good.has(webhookId);
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

import { BoundedMap } from '../../../bounded-map.ts';
import { holderFlag, holderRetryFlag, retryFlag } from './delivery-queries.ts';

/** How many jobs and requests a process has at a time. */
export interface RequestLimits {
  /** Jobs. Each is for one webhook. */
  readonly total: number;
  /** Requests to one webhook. */
  readonly perWebhook: number;
  /** Jobs of one holder, however many digital keys and webhooks they have. */
  readonly perHolder: number;
  /** Jobs for endpoints that are not proven. The rest is for proven ones, however many endpoints hang. */
  readonly retries: number;
  /** The same of one holder. */
  readonly retriesPerHolder: number;
}

export const defaultRequestLimits: RequestLimits = {
  total: 24,
  perWebhook: 4,
  perHolder: 8,
  retries: 12,
  retriesPerHolder: 4,
};

/** Whose job it is. */
export interface JobOwner {
  readonly webhookId: string;
  readonly holderId: string;
}

/** How many endpoints are remembered as proven. */
const maxProven = 10_000;

/** Counts the jobs of a process, so that no endpoint and no holder takes the place of another one. */
export class OpenRequests {
  readonly #limits: RequestLimits;
  readonly #webhooks = new Counts();
  readonly #holders = new Counts();
  readonly #retryHolders = new Counts();
  /** Webhooks whose last job went well. */
  readonly #proven = new BoundedMap<true>(maxProven);
  #retries = 0;

  constructor(limits: RequestLimits) {
    this.#limits = limits;
  }

  /** The flags of jobs that would be too many. */
  get forbiddenFlags(): string[] {
    const { perWebhook, perHolder, retries, retriesPerHolder } = this.#limits;
    return [
      ...this.#webhooks.listFrom(perWebhook),
      ...this.#holders.listFrom(perHolder).map(holderFlag),
      ...this.#retryHolders.listFrom(retriesPerHolder).map(holderRetryFlag),
      ...(this.#retries >= retries ? [retryFlag] : []),
    ];
  }

  /** Begins a job with so many requests. Returns a function that ends it, or null if there are too many. */
  begin({ webhookId, holderId }: JobOwner, isRetry: boolean, requests: number): (() => void) | null {
    const { perWebhook, perHolder, retries, retriesPerHolder } = this.#limits;
    const countsAsRetry = isRetry || !this.isProven(webhookId);
    const open = this.#webhooks.get(webhookId);
    if ((open > 0 && open + requests > perWebhook) || this.#holders.get(holderId) >= perHolder) return null;
    if (countsAsRetry && (this.#retries >= retries || this.#retryHolders.get(holderId) >= retriesPerHolder))
      return null;
    const count = (change: 1 | -1) => {
      this.#webhooks.add(webhookId, change * requests);
      this.#holders.add(holderId, change);
      if (!countsAsRetry) return;
      this.#retryHolders.add(holderId, change);
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
   * Whether the last job of the webhook went well. Until then its jobs count as retries. Otherwise a holder could
   * create new webhooks all the time, each of which would hang once.
   */
  isProven(webhookId: string): boolean {
    return this.#proven.get(webhookId) === true;
  }
}

class Counts {
  readonly #counts = new Map<string, number>();

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, change: number): void {
    const count = this.get(key) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  /** Lists the keys that have this count or more. */
  listFrom(least: number): string[] {
    return [...this.#counts].filter(([, count]) => count >= least).map(([key]) => key);
  }
}

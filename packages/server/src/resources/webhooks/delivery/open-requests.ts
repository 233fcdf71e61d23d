/** How many requests a process makes at a time. */
export interface RequestLimits {
  readonly total: number;
  /** To one webhook. */
  readonly perWebhook: number;
  /** To endpoints that have failed. The rest is for the others, however many endpoints hang. */
  readonly retries: number;
}

export const defaultRequestLimits: RequestLimits = { total: 24, perWebhook: 4, retries: 12 };

/** Counts the open requests of a process, so that no endpoint takes the place of another one. */
export class OpenRequests {
  readonly #limits: RequestLimits;
  readonly #byWebhook = new Map<string, number>();
  #retries = 0;

  constructor(limits: RequestLimits) {
    this.#limits = limits;
  }

  /** The webhooks that have as many open requests as they may. */
  get fullWebhooks(): string[] {
    return [...this.#byWebhook].filter(([, count]) => count >= this.#limits.perWebhook).map(([id]) => id);
  }

  get hasMostRetries(): boolean {
    return this.#retries >= this.#limits.retries;
  }

  /** Begins a request. Returns a function that ends it, or null if there are too many. */
  begin(webhookId: string, isRetry: boolean): (() => void) | null {
    const count = this.#byWebhook.get(webhookId) ?? 0;
    if (count >= this.#limits.perWebhook || (isRetry && this.hasMostRetries)) return null;
    this.#byWebhook.set(webhookId, count + 1);
    if (isRetry) this.#retries += 1;
    return () => {
      if (isRetry) this.#retries -= 1;
      const left = (this.#byWebhook.get(webhookId) ?? 1) - 1;
      if (left === 0) this.#byWebhook.delete(webhookId);
      else this.#byWebhook.set(webhookId, left);
    };
  }
}

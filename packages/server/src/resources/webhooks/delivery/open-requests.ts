import { BoundedMap } from '@keyfront/bounded-map';
import { holderFlag, holderRetryFlag, retryFlag } from './delivery-queries.ts';

/** How many jobs and requests a process has at a time. */
export interface DeliveryLimits {
  /** Jobs. Each is for one webhook. */
  readonly total: number;
  /** Jobs for endpoints that are not proven. The rest is for proven ones, however many endpoints hang. */
  readonly unproven: number;
  /** Requests to one webhook. */
  readonly perWebhook: number;
}

export const defaultDeliveryLimits: DeliveryLimits = { total: 24, unproven: 12, perWebhook: 4 };

/** Whose job it is. */
export interface JobOwner {
  readonly webhookId: string;
  readonly holderId: string;
}

/** How many endpoints are remembered. */
const maxRemembered = 10_000;

/**
 * Counts the jobs of a process, so that no endpoint and no holder takes the place of another one. Whoever has fewer places than are left
 * may take one more. One holder alone gets half of them, two get a third each, and the last place is for somebody who has none. Endpoints share the
 * places of their holder in the same way. Proven and other endpoints do not take places of each other.
 */
export class OpenRequests {
  readonly #limits: DeliveryLimits;
  readonly #webhooks = new Map<string, OpenWebhook>();
  readonly #provenHolders = new Counts();
  readonly #unprovenHolders = new Counts();
  /** Webhooks whose last job went well. */
  readonly #proven = new BoundedMap<true>(maxRemembered);
  /** Webhooks that are not proven, and have jobs that wait as retries. */
  readonly #retried = new BoundedMap<true>(maxRemembered);

  constructor(limits: DeliveryLimits) {
    this.#limits = limits;
  }

  /** The flags of jobs that would be too many. */
  get forbiddenFlags(): string[] {
    const webhooks = [...this.#webhooks].filter(
      ([webhookId, { holderId }]) => !this.#hasPlace({ webhookId, holderId }, 1),
    );
    const { proven, unproven } = this.#left;
    return [
      ...webhooks.map(([webhookId]) => webhookId),
      ...this.#provenHolders.listFrom(proven).map(holderFlag),
      ...this.#unprovenHolders.listFrom(unproven).map(holderRetryFlag),
      ...(unproven <= 0 ? [retryFlag] : []),
    ];
  }

  /** Begins a job with so many requests. Returns a function that ends it, or null if there are too many. */
  begin(owner: JobOwner, requests: number, isRetry: boolean): (() => void) | null {
    const { webhookId, holderId } = owner;
    const isProven = this.isProven(webhookId);
    const hasPlace = this.#hasPlace(owner, requests);
    // One that has no place waits as a retry from now on.
    if (!isProven && (isRetry || !hasPlace)) this.#retried.set(webhookId, true);
    if (!hasPlace) return null;
    const holders = isProven ? this.#provenHolders : this.#unprovenHolders;
    const count = (change: 1 | -1) => {
      const { jobs, requests: open } = this.#webhooks.get(webhookId) ?? { jobs: 0, requests: 0 };
      if (jobs + change === 0) this.#webhooks.delete(webhookId);
      else
        this.#webhooks.set(webhookId, { holderId, jobs: jobs + change, requests: open + change * requests });
      holders.add(holderId, change);
    };
    count(1);
    return () => count(-1);
  }

  #hasPlace({ webhookId, holderId }: JobOwner, requests: number): boolean {
    const { proven, unproven } = this.#left;
    const open = this.#webhooks.get(webhookId);
    // Nobody knows whether it responds: another job could only wait for it as well.
    if (!this.isProven(webhookId)) return !open && this.#unprovenHolders.get(holderId) < unproven;
    if (!open) return this.#provenHolders.get(holderId) < proven;
    return (
      open.requests + requests <= this.#limits.perWebhook &&
      open.jobs < proven - this.#provenHolders.get(holderId)
    );
  }

  /** The places that nobody has. */
  get #left(): { readonly proven: number; readonly unproven: number } {
    const { total, unproven } = this.#limits;
    const open = this.#unprovenHolders.total;
    const left = total - open - this.#provenHolders.total;
    return { proven: left, unproven: Math.min(left, unproven - open) };
  }

  /**
   * Remembers whether the last job of a webhook went well: no request has failed. Returns whether it has jobs that wait as retries and no
   * longer should.
   */
  recordOutcome(webhookId: string, wentWell: boolean): boolean {
    if (wentWell) this.#proven.set(webhookId, true);
    else this.#proven.delete(webhookId);
    const hasRetries = wentWell && this.#retried.get(webhookId) === true;
    if (hasRetries) this.#retried.delete(webhookId);
    return hasRetries;
  }

  /**
   * Whether the last job of the webhook went well. A new webhook is not proven. Otherwise a holder could create new webhooks all the time,
   * each of which would hang once.
   */
  isProven(webhookId: string): boolean {
    return this.#proven.get(webhookId) === true;
  }
}

/** The open jobs of a webhook. */
interface OpenWebhook {
  readonly holderId: string;
  readonly jobs: number;
  readonly requests: number;
}

class Counts {
  readonly #counts = new Map<string, number>();
  total = 0;

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, change: number): void {
    const count = this.get(key) + change;
    this.total += change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  /** Lists the keys that have this count or more. */
  listFrom(least: number): string[] {
    return [...this.#counts].filter(([, count]) => count >= least).map(([key]) => key);
  }
}

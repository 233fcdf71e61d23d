import { setTimeout as delay } from 'node:timers/promises';
import type { LoadReport } from '../load/shoppers.ts';
import type { Random } from '../random.ts';

/** How much a trial does. */
export interface TrialSizes {
  /** The number of processes that are killed. */
  readonly kills: number;
  /** The number of network faults. */
  readonly networkFaults: number;
  /** The number of times that the database moves to another server. */
  readonly failovers: number;
  /** The orders that must be acknowledged between two faults. */
  readonly ordersBetweenFaults: number;
  /** The orders of the store whose CSV export nobody reads. 0 leaves out that part. */
  readonly exportedOrders: number;
  /** The load continues for this time at least. */
  readonly minutes: number;
}

export interface TrialContext {
  readonly sizes: TrialSizes;
  readonly random: Random;
  /** An empty folder for the trial. */
  readonly folder: string;
  readonly progress: (message: string) => void;
}

export interface TrialResult {
  /** A sentence for each fault that the service did not survive. */
  readonly problems: readonly string[];
  /** What happened, for people. */
  readonly summary: string;
}

export interface Trial {
  readonly name: string;
  /** Says what the machine lacks for the trial. Null if it has everything. */
  readonly findLack?: () => string | null;
  readonly run: (context: TrialContext) => Promise<TrialResult>;
}

/** Describes what the service acknowledged. */
export function describeLoad({ orders, refusedCount }: LoadReport): string {
  return `${orders.size} orders acknowledged, ${refusedCount} refused for lack of stock`;
}

/** What a fault has stopped must work again within this time. */
const recoveryTimeoutMs = 60_000;

/** Waits for the end of the work. Throws if that takes too long. */
export async function within<Result>(
  work: Promise<Result>,
  problem: string,
  timeoutMs = recoveryTimeoutMs,
): Promise<Result> {
  const timer = new AbortController();
  const timeout = delay(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${problem} within ${timeoutMs / 1000} s`);
  });
  timeout.catch(() => undefined);
  return Promise.race([work, timeout]).finally(() => timer.abort());
}

/** Waits until the condition is met or the time is up. Returns whether it is met. */
export async function waitFor(
  isMet: () => boolean | Promise<boolean>,
  timeoutMs = recoveryTimeoutMs,
): Promise<boolean> {
  for (const endAt = performance.now() + timeoutMs; performance.now() < endAt; await delay(50)) {
    if (await isMet()) return true;
  }
  return false;
}

import { type Clock, type Counter, type Decision, monotonicClock } from './counter.ts';
import { admitted, refused, unitsLeft } from './gcra.ts';
import type { Policy } from './limits.ts';
import { RecentKeys } from './recent-keys.ts';

interface Account {
  /** When the quota is whole again. */
  fullAtMs: number;
}

interface MemoryCounterOptions {
  readonly now?: Clock;
  /** Of each policy, so that a flood of addresses pushes out no credential. */
  readonly maxKeys?: number;
}

export const defaultMaxKeys = 100_000;

/** Counts in this process. */
export class MemoryCounter implements Counter {
  readonly #now: Clock;
  readonly #maxKeys: number;
  readonly #accounts = new Map<Policy, RecentKeys<Account>>();

  constructor({ now = monotonicClock, maxKeys = defaultMaxKeys }: MemoryCounterOptions = {}) {
    this.#now = now;
    this.#maxKeys = maxKeys;
  }

  /** How many callers it remembers. */
  get size(): number {
    let size = 0;
    for (const accounts of this.#accounts.values()) size += accounts.size;
    return size;
  }

  take(policy: Policy, key: string): Decision {
    const now = this.#now();
    const accounts = this.#accountsOf(policy);
    let account = accounts.get(key, now);
    if (account === undefined) {
      account = { fullAtMs: now };
      accounts.add(key, account, now);
    }
    const debtMs = Math.max(0, account.fullAtMs - now);
    if (unitsLeft(policy, debtMs) === 0) return refused(policy, debtMs);
    account.fullAtMs = now + debtMs + policy.intervalMs;
    return admitted(policy, debtMs + policy.intervalMs);
  }

  isUsedUp(policy: Policy, key: string): Decision | null {
    const now = this.#now();
    const account = this.#accountsOf(policy).get(key, now);
    if (account === undefined) return null;
    const debtMs = account.fullAtMs - now;
    return unitsLeft(policy, debtMs) === 0 ? refused(policy, debtMs) : null;
  }

  #accountsOf(policy: Policy): RecentKeys<Account> {
    let accounts = this.#accounts.get(policy);
    if (accounts === undefined) {
      // Who was silent for a window has the whole quota: to forget such a caller changes nothing.
      accounts = new RecentKeys(policy.windowMs, this.#maxKeys);
      this.#accounts.set(policy, accounts);
    }
    return accounts;
  }
}

import { type Clock, monotonicClock } from './counter.ts';
import { unitsLeft } from './gcra.ts';
import type { Grant, ToLedger } from './ledger-messages.ts';
import { isLimitName, type Limits, limits, type Policy } from './limits.ts';
import { defaultMaxKeys } from './memory-counter.ts';
import { RecentKeys } from './recent-keys.ts';

interface Account {
  fullAtMs: number;
  /** By worker: what it was granted and may not have used. */
  readonly held: Map<number, number>;
}

interface LedgerOptions {
  readonly now?: Clock;
  readonly maxKeys?: number;
  readonly policies?: Limits;
}

/**
 * The counts of all workers. What is granted counts as used at once, and what workers hold keeps as much of the quota
 * from coming back: what is left and what is held are together never more than the quota.
 */
export class Ledger {
  readonly #now: Clock;
  readonly #maxKeys: number;
  readonly #policies: Limits;
  readonly #accounts = new Map<Policy, RecentKeys<Account>>();

  constructor({ now = monotonicClock, maxKeys = defaultMaxKeys, policies = limits }: LedgerOptions = {}) {
    this.#policies = policies;
    this.#now = now;
    this.#maxKeys = maxKeys;
  }

  /** Hears a worker out. Null where there is nothing to answer. */
  hear(worker: number, message: ToLedger): Grant | null {
    if (!isLimitName(message.policy)) return null;
    const policy = this.#policies[message.policy];
    const now = this.#now();
    const account = this.#accountOf(policy, message.key, now);
    settle(policy, account, now);
    if (message.kind === 'return') {
      account.held.delete(worker);
      account.fullAtMs = Math.max(now, account.fullAtMs - message.unused * policy.intervalMs);
      return null;
    }
    const granted = Math.min(message.wanted, unitsLeft(policy, account.fullAtMs - now));
    const held = message.held + Math.max(0, granted - message.waiting);
    if (held > 0) account.held.set(worker, held);
    else account.held.delete(worker);
    account.fullAtMs += granted * policy.intervalMs;
    return { policy: message.policy, key: message.key, granted, held, debtMs: account.fullAtMs - now };
  }

  /** A worker is gone: what it held counts as used. */
  forget(worker: number): void {
    const now = this.#now();
    for (const [policy, accounts] of this.#accounts) {
      for (const account of accounts.values()) {
        if (!account.held.has(worker)) continue;
        settle(policy, account, now);
        account.held.delete(worker);
      }
    }
  }

  #accountOf(policy: Policy, key: string, now: number): Account {
    let accounts = this.#accounts.get(policy);
    if (accounts === undefined) {
      accounts = new RecentKeys(policy.windowMs, this.#maxKeys);
      this.#accounts.set(policy, accounts);
    }
    let account = accounts.get(key, now);
    if (account === undefined) {
      account = { fullAtMs: now, held: new Map() };
      accounts.add(key, account, now);
    }
    return account;
  }
}

/** Brings an account up to now. Before anything else about it changes: what is held now was held until now. */
function settle({ intervalMs }: Policy, account: Account, now: number): void {
  let held = 0;
  for (const units of account.held.values()) held += units;
  account.fullAtMs = Math.max(account.fullAtMs, now + held * intervalMs);
}

import { CallerStates } from './caller-states.ts';
import { type Clock, monotonicClock } from './counter.ts';
import { type GcraState, unitsLeft } from './gcra.ts';
import type { Policy } from './policy.ts';

/** A message of a worker to the ledger. The channel delivers all messages, in order. */
export type LedgerMessage =
  | {
      readonly kind: 'acquire';
      readonly policy: string;
      readonly key: string;
      readonly units: number;
      /** Units of earlier grants that the worker has not used. */
      readonly held: number;
      /** How many requests wait for the grant. They use its first units at once. */
      readonly waiting: number;
    }
  | { readonly kind: 'release'; readonly policy: string; readonly key: string; readonly unused: number };

/** The reply to `acquire`. */
export interface Grant {
  readonly policy: string;
  readonly key: string;
  /** 0 if the quota is exhausted. */
  readonly granted: number;
  /** Units that the worker now holds according to the ledger. */
  readonly held: number;
  /** The backlog of the caller, in which everything that was granted counts as used. */
  readonly backlogMs: number;
}

/** The channel of a worker to the ledger. */
export interface LedgerLink {
  /** Returns false if the channel is closed. */
  send(message: LedgerMessage): boolean;
  onGrant(listener: (grant: Grant) => void): void;
}

interface Account extends GcraState {
  /** By worker: units that were granted and may be unused. */
  readonly held: Map<number, number>;
}

interface LedgerOptions {
  readonly now?: Clock;
  /** Of each policy. */
  readonly maxCallers?: number;
  /** By their names. */
  readonly policies: Readonly<Record<string, Policy>>;
}

/**
 * The counts of all workers, kept by the primary process. Granted units count as used at once, and units that workers
 * hold do not refill. Invariant: the units that are left and the units that are held never exceed the quota.
 */
export class Ledger {
  readonly #now: Clock;
  readonly #policies: ReadonlyMap<string, Policy>;
  readonly #accounts: CallerStates<Account>;

  constructor({ now = monotonicClock, maxCallers, policies }: LedgerOptions) {
    this.#now = now;
    this.#policies = new Map(Object.entries(policies));
    this.#accounts = new CallerStates(now, maxCallers);
  }

  /** Handles a message of a worker. Returns the grant to send back, or null if there is nothing to reply. */
  handleMessage(worker: number, message: LedgerMessage): Grant | null {
    const policy = this.#policies.get(message.policy);
    if (!policy) return null;
    const now = this.#now();
    const account = this.#accounts.getOrCreate(policy, message.key, () => ({ tatMs: now, held: new Map() }));
    bringUpToDate(policy, account, now);
    if (message.kind === 'release') {
      account.held.delete(worker);
      account.tatMs = Math.max(now, account.tatMs - message.unused * policy.intervalMs);
      return null;
    }
    const granted = Math.min(message.units, unitsLeft(policy, account.tatMs - now));
    const held = message.held + Math.max(0, granted - message.waiting);
    if (held > 0) account.held.set(worker, held);
    else account.held.delete(worker);
    account.tatMs += granted * policy.intervalMs;
    return { policy: message.policy, key: message.key, granted, held, backlogMs: account.tatMs - now };
  }

  /** Removes a worker that has exited. The units that it held count as used. */
  removeWorker(worker: number): void {
    const now = this.#now();
    for (const [policy, account] of this.#accounts.entries()) {
      if (!account.held.has(worker)) continue;
      bringUpToDate(policy, account, now);
      account.held.delete(worker);
    }
  }
}

/** Applies that held units do not refill. Must run before `held` changes: the units were held until now. */
function bringUpToDate({ intervalMs }: Policy, account: Account, now: number): void {
  let held = 0;
  for (const units of account.held.values()) held += units;
  account.tatMs = Math.max(account.tatMs, now + held * intervalMs);
}

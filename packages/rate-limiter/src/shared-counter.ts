import { CallerStates } from './caller-states.ts';
import { type Clock, type Counter, type Decision, monotonicClock } from './counter.ts';
import { createAdmission, createRejection, findRejection, type GcraState, unitsLeft } from './gcra.ts';
import type { Grant, LedgerLink } from './ledger.ts';
import { MemoryCounter } from './memory-counter.ts';
import { divideQuota, type Policy } from './policy.ts';

/** Units of one caller that the ledger has granted to this worker. `tatMs` counts them as used. */
interface Lease extends GcraState {
  readonly policy: Policy;
  readonly key: string;
  /** Granted and unused. */
  units: number;
  /** How many units to acquire next. It doubles while they are used up quickly. */
  batchSize: number;
  lastUsedMs: number;
  /** When the pending `acquire` was sent; null if none is pending. */
  requestedAtMs: number | null;
  /** The requests that wait for a grant, in order. */
  readonly waiters: ((decision: Decision) => void)[];
}

interface SharedCounterOptions {
  readonly link: LedgerLink;
  readonly workers: number;
  readonly now?: Clock;
  /** Of each policy. */
  readonly maxCallers?: number;
}

/** A lease that was idle for this long is released, so that all workers can have its units. */
const leaseIdleMs = 1000;
/** A ledger that does not reply within this time is taken to be unreachable. */
const grantTimeoutMs = 500;

/**
 * Counts in one of several workers. The ledger in the primary process has the counts. A worker leases a few units in
 * advance, so that few requests wait, and learns from the grants when the quota is exhausted. While the ledger is
 * unreachable, the worker counts its own share of the quota.
 */
export class SharedCounter implements Counter {
  readonly #link: LedgerLink;
  readonly #workers: number;
  readonly #now: Clock;
  readonly #leases: CallerStates<Lease>;
  /** The leases that hold units according to the last grant of the ledger. */
  readonly #heldLeases = new Set<Lease>();
  /** The leases that wait for a grant. */
  readonly #pendingLeases = new Map<string, Lease>();
  readonly #localCounter: MemoryCounter;
  readonly #localPolicies = new Map<Policy, Policy>();
  #isLedgerReachable = true;

  constructor({ link, workers, now = monotonicClock, maxCallers }: SharedCounterOptions) {
    this.#link = link;
    this.#workers = workers;
    this.#now = now;
    this.#leases = new CallerStates(now, maxCallers);
    this.#localCounter = new MemoryCounter({ now, maxCallers });
    link.onGrant((grant) => this.#receiveGrant(grant));
  }

  take(policy: Policy, key: string): Decision | Promise<Decision> {
    const now = this.#now();
    const lease = this.#getLease(policy, key, now);
    if (lease.units > 0) return this.#useUnit(lease, now);
    if (!this.#isLedgerReachable) return this.#takeLocally(lease);
    const rejection = findRejection(policy, lease.tatMs - now);
    if (rejection) return rejection;
    return new Promise((resolve) => {
      lease.waiters.push(resolve);
      if (lease.requestedAtMs === null) this.#acquire(lease, now);
    });
  }

  peekRejection(policy: Policy, key: string): Decision | null {
    const lease = this.#leases.get(policy, key);
    if (lease === undefined || lease.units > 0) return null;
    return this.#isLedgerReachable
      ? findRejection(policy, lease.tatMs - this.#now())
      : this.#localCounter.peekRejection(this.#localPolicyOf(policy), key);
  }

  /** Returns the units of idle leases to the ledger. Must be called periodically. */
  releaseIdleLeases(): void {
    const now = this.#now();
    for (const lease of this.#heldLeases) {
      if (lease.requestedAtMs === null && now - lease.lastUsedMs >= leaseIdleMs) this.#release(lease);
    }
  }

  /** Stops waiting for a ledger that does not reply. Must be called periodically. */
  expirePendingLeases(): void {
    const now = this.#now();
    for (const lease of this.#pendingLeases.values()) {
      if (lease.requestedAtMs !== null && now - lease.requestedAtMs >= grantTimeoutMs) {
        this.#continueLocally(lease);
      }
    }
  }

  #useUnit(lease: Lease, now: number): Decision {
    const { policy } = lease;
    lease.units -= 1;
    lease.lastUsedMs = now;
    // In time for the next requests. A small lease is not renewed in advance: other workers would miss its units.
    const isLow = lease.batchSize >= 4 && lease.units <= lease.batchSize / 2;
    if (
      isLow &&
      lease.requestedAtMs === null &&
      this.#isLedgerReachable &&
      unitsLeft(policy, lease.tatMs - now) > 0
    ) {
      this.#acquire(lease, now);
    }
    return createAdmission(policy, Math.max(0, lease.tatMs - now - lease.units * policy.intervalMs));
  }

  #acquire(lease: Lease, now: number): void {
    const { policy, key, units: held } = lease;
    const waiting = lease.waiters.length;
    const units = Math.max(lease.batchSize, waiting);
    if (!this.#link.send({ kind: 'acquire', policy: policy.name, key, units, held, waiting })) {
      this.#continueLocally(lease);
      return;
    }
    lease.requestedAtMs = now;
    this.#pendingLeases.set(idOf(policy.name, key), lease);
    // All other workers together never hold more than a tenth of the quota.
    const maxBatchSize = Math.floor(policy.quota / (10 * this.#workers));
    lease.batchSize = Math.max(1, Math.min(lease.batchSize * 2, maxBatchSize));
  }

  #receiveGrant({ policy: name, key, granted, held, backlogMs }: Grant): void {
    this.#isLedgerReachable = true;
    const lease = this.#pendingLeases.get(idOf(name, key));
    if (lease === undefined) return;
    const now = this.#now();
    this.#pendingLeases.delete(idOf(name, key));
    lease.requestedAtMs = null;
    lease.tatMs = now + backlogMs;
    lease.units += granted;
    lease.lastUsedMs = now;
    while (lease.units > 0 && lease.waiters.length > 0) lease.waiters.shift()?.(this.#useUnit(lease, now));
    // `held` is less if some requests stopped waiting: the ledger counts their units as used.
    lease.units = Math.min(lease.units, held);
    if (held > 0) this.#heldLeases.add(lease);
    else this.#heldLeases.delete(lease);
    if (lease.waiters.length === 0) return;
    if (granted > 0 && unitsLeft(lease.policy, backlogMs) > 0) {
      if (lease.requestedAtMs === null) this.#acquire(lease, now);
    } else {
      for (const resolve of lease.waiters.splice(0)) resolve(createRejection(lease.policy, backlogMs));
    }
  }

  #release(lease: Lease): void {
    this.#heldLeases.delete(lease);
    const { policy, key, units: unused } = lease;
    if (!this.#link.send({ kind: 'release', policy: policy.name, key, unused })) return;
    lease.units = 0;
    lease.batchSize = 1;
    lease.tatMs -= unused * policy.intervalMs;
  }

  #continueLocally(lease: Lease): void {
    this.#isLedgerReachable = false;
    for (const resolve of lease.waiters.splice(0)) resolve(this.#takeLocally(lease));
  }

  #takeLocally({ policy, key }: Lease): Decision {
    return this.#localCounter.take(this.#localPolicyOf(policy), key);
  }

  #localPolicyOf(policy: Policy): Policy {
    let localPolicy = this.#localPolicies.get(policy);
    if (localPolicy === undefined) {
      localPolicy = divideQuota(policy, this.#workers);
      this.#localPolicies.set(policy, localPolicy);
    }
    return localPolicy;
  }

  #getLease(policy: Policy, key: string, now: number): Lease {
    return this.#leases.getOrCreate(policy, key, () => {
      // A pending lease may have been evicted.
      const pending = this.#pendingLeases.get(idOf(policy.name, key));
      return (
        pending ?? {
          policy,
          key,
          units: 0,
          batchSize: 1,
          tatMs: now,
          lastUsedMs: now,
          requestedAtMs: null,
          waiters: [],
        }
      );
    });
  }
}

function idOf(policy: string, key: string): string {
  return `${policy} ${key}`;
}

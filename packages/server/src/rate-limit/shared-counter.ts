import { type Clock, type Counter, type Decision, monotonicClock } from './counter.ts';
import { admitted, refused, unitsLeft } from './gcra.ts';
import type { Grant, LedgerLink } from './ledger-messages.ts';
import { type Policy, shareOf } from './limits.ts';
import { defaultMaxKeys, MemoryCounter } from './memory-counter.ts';
import { RecentKeys } from './recent-keys.ts';

interface Lease {
  readonly policy: Policy;
  readonly key: string;
  /** Granted and not used. */
  units: number;
  /** How many to ask for next: more and more while they are used up quickly. */
  step: number;
  /** When the quota is whole again, by the last grant, which counts the units here as used. */
  fullAtMs: number;
  usedAtMs: number;
  /** When the question that is under way was asked. */
  askedAtMs: number | null;
  readonly waiting: ((decision: Decision) => void)[];
}

interface SharedCounterOptions {
  readonly link: LedgerLink;
  readonly workers: number;
  readonly now?: Clock;
  readonly maxKeys?: number;
}

/** Units that nobody used for so long go back to where all workers can have them. */
const idleMs = 1000;
/** A ledger that is silent for so long is taken to be away. */
const patienceMs = 500;
/** How often `tend` is to be called. */
export const tendEveryMs = 250;

/**
 * One of several workers. The ledger in the first process has the counts; a worker asks it for a few units in advance,
 * so that hardly a request waits, and knows from its answers when there are none. While the ledger is away, a worker
 * counts its own share of the quota.
 */
export class SharedCounter implements Counter {
  readonly #link: LedgerLink;
  readonly #workers: number;
  readonly #now: Clock;
  readonly #maxKeys: number;
  readonly #leases = new Map<Policy, RecentKeys<Lease>>();
  readonly #shares = new Map<Policy, Policy>();
  /** The leases that the ledger has on its books, by what it last said. */
  readonly #booked = new Set<Lease>();
  readonly #asking = new Map<string, Lease>();
  readonly #alone: MemoryCounter;
  #isAlone = false;

  constructor({ link, workers, now = monotonicClock, maxKeys = defaultMaxKeys }: SharedCounterOptions) {
    this.#link = link;
    this.#workers = workers;
    this.#now = now;
    this.#maxKeys = maxKeys;
    this.#alone = new MemoryCounter({ now, maxKeys });
    link.onGrant((grant) => this.#receive(grant));
  }

  take(policy: Policy, key: string): Decision | Promise<Decision> {
    const now = this.#now();
    const lease = this.#leaseOf(policy, key, now);
    if (lease.units > 0) return this.#spend(lease, now);
    if (this.#isAlone) return this.#takeAlone(lease);
    const debtMs = lease.fullAtMs - now;
    if (unitsLeft(policy, debtMs) === 0) return refused(policy, debtMs);
    return new Promise((resolve) => {
      lease.waiting.push(resolve);
      if (lease.askedAtMs === null) this.#ask(lease, now);
    });
  }

  isUsedUp(policy: Policy, key: string): Decision | null {
    const now = this.#now();
    const lease = this.#leases.get(policy)?.get(key, now);
    if (lease === undefined || lease.units > 0) return null;
    if (this.#isAlone) return this.#alone.isUsedUp(this.#shareOf(policy), key);
    const debtMs = lease.fullAtMs - now;
    return unitsLeft(policy, debtMs) === 0 ? refused(policy, debtMs) : null;
  }

  /** To be called again and again: gives back what lies idle, and stops waiting for a ledger that is away. */
  tend(): void {
    const now = this.#now();
    for (const lease of this.#booked) {
      if (lease.askedAtMs === null && now - lease.usedAtMs >= idleMs) this.#giveBack(lease);
    }
    for (const lease of this.#asking.values()) {
      if (lease.askedAtMs !== null && now - lease.askedAtMs >= patienceMs) {
        this.#isAlone = true;
        this.#answerAlone(lease);
      }
    }
  }

  #spend(lease: Lease, now: number): Decision {
    lease.units -= 1;
    lease.usedAtMs = now;
    // In time for the next ones. Where a lease is a few units only, those held in advance would be missed elsewhere.
    const isLow = lease.step >= 4 && lease.units <= lease.step / 2;
    if (
      isLow &&
      lease.askedAtMs === null &&
      !this.#isAlone &&
      unitsLeft(lease.policy, lease.fullAtMs - now) > 0
    ) {
      this.#ask(lease, now);
    }
    return admitted(lease.policy, Math.max(0, lease.fullAtMs - now - lease.units * lease.policy.intervalMs));
  }

  #ask(lease: Lease, now: number): void {
    const { policy, key, units: held, waiting } = lease;
    const wanted = Math.max(lease.step, waiting.length);
    const message = { kind: 'ask', policy: policy.name, key, wanted, held, waiting: waiting.length } as const;
    if (!this.#link.send(message)) {
      this.#isAlone = true;
      this.#answerAlone(lease);
      return;
    }
    lease.askedAtMs = now;
    this.#asking.set(idOf(policy.name, key), lease);
    // All other workers together never sit on more than a tenth of the quota.
    lease.step = Math.max(1, Math.min(lease.step * 2, Math.floor(policy.quota / (10 * this.#workers))));
  }

  #receive({ policy: name, key, granted, held, debtMs }: Grant): void {
    this.#isAlone = false;
    const lease = this.#asking.get(idOf(name, key));
    if (lease === undefined) return;
    const now = this.#now();
    this.#asking.delete(idOf(name, key));
    lease.askedAtMs = null;
    lease.fullAtMs = now + debtMs;
    lease.units += granted;
    lease.usedAtMs = now;
    while (lease.units > 0 && lease.waiting.length > 0) lease.waiting.shift()?.(this.#spend(lease, now));
    // Less than is there when some did not wait to the end: the ledger takes their units to be used.
    lease.units = Math.min(lease.units, held);
    if (held > 0) this.#booked.add(lease);
    else this.#booked.delete(lease);
    if (lease.waiting.length === 0) return;
    if (granted > 0 && unitsLeft(lease.policy, debtMs) > 0) {
      if (lease.askedAtMs === null) this.#ask(lease, now);
    } else {
      for (const resolve of lease.waiting.splice(0)) resolve(refused(lease.policy, debtMs));
    }
  }

  #giveBack(lease: Lease): void {
    this.#booked.delete(lease);
    const { policy, key, units: unused } = lease;
    if (!this.#link.send({ kind: 'return', policy: policy.name, key, unused })) return;
    lease.units = 0;
    lease.step = 1;
    lease.fullAtMs -= unused * policy.intervalMs;
  }

  #answerAlone(lease: Lease): void {
    for (const resolve of lease.waiting.splice(0)) resolve(this.#takeAlone(lease));
  }

  #takeAlone({ policy, key }: Lease): Decision {
    return this.#alone.take(this.#shareOf(policy), key);
  }

  #shareOf(policy: Policy): Policy {
    let share = this.#shares.get(policy);
    if (share === undefined) {
      share = shareOf(policy, this.#workers);
      this.#shares.set(policy, share);
    }
    return share;
  }

  #leaseOf(policy: Policy, key: string, now: number): Lease {
    let leases = this.#leases.get(policy);
    if (leases === undefined) {
      leases = new RecentKeys(policy.windowMs, this.#maxKeys);
      this.#leases.set(policy, leases);
    }
    let lease = leases.get(key, now);
    if (lease === undefined) {
      // One that is still asking was pushed out, for want of room.
      lease = this.#asking.get(idOf(policy.name, key)) ?? {
        policy,
        key,
        units: 0,
        step: 1,
        fullAtMs: now,
        usedAtMs: now,
        askedAtMs: null,
        waiting: [],
      };
      leases.add(key, lease, now);
    }
    return lease;
  }
}

function idOf(policy: string, key: string): string {
  return `${policy} ${key}`;
}

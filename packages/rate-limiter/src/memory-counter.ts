import { CallerStates } from './caller-states.ts';
import { type Clock, type Counter, type Decision, monotonicClock } from './counter.ts';
import { findRejection, type GcraState, takeUnit } from './gcra.ts';
import type { Policy } from './policy.ts';

interface MemoryCounterOptions {
  readonly now?: Clock;
  /** Of each policy. */
  readonly maxCallers?: number | undefined;
}

/** Counts in the memory of this process. */
export class MemoryCounter implements Counter {
  readonly #now: Clock;
  readonly #states: CallerStates<GcraState>;

  constructor({ now = monotonicClock, maxCallers }: MemoryCounterOptions = {}) {
    this.#now = now;
    this.#states = new CallerStates(now, maxCallers);
  }

  /** How many callers it remembers. */
  get size(): number {
    return this.#states.size;
  }

  take(policy: Policy, key: string): Decision {
    const now = this.#now();
    const state = this.#states.getOrCreate(policy, key, () => ({ tatMs: now }));
    return takeUnit(policy, state, now);
  }

  peekRejection(policy: Policy, key: string): Decision | null {
    const state = this.#states.get(policy, key);
    return state === undefined ? null : findRejection(policy, state.tatMs - this.#now());
  }
}

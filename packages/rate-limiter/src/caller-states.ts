import { BoundedMap } from '@keyfront/bounded-map';
import type { Clock } from './counter.ts';
import type { Policy } from './policy.ts';

const defaultMaxCallers = 100_000;

/**
 * The state of each caller, by policy and key, in bounded memory. Every policy has its own limit, so that a flood of
 * addresses evicts no credential. Evicting a caller that was idle for a whole window changes nothing: its quota is full.
 */
export class CallerStates<State> {
  readonly #now: Clock;
  readonly #maxCallers: number;
  readonly #statesByPolicy = new Map<Policy, BoundedMap<State>>();

  /** `maxCallers` is the limit of each policy. */
  constructor(now: Clock, maxCallers = defaultMaxCallers) {
    this.#now = now;
    this.#maxCallers = maxCallers;
  }

  get size(): number {
    let size = 0;
    for (const states of this.#statesByPolicy.values()) size += states.size;
    return size;
  }

  get(policy: Policy, key: string): State | undefined {
    return this.#statesByPolicy.get(policy)?.get(key);
  }

  getOrCreate(policy: Policy, key: string, create: () => State): State {
    const found = this.get(policy, key);
    if (found !== undefined) return found;
    const state = create();
    this.set(policy, key, state);
    return state;
  }

  set(policy: Policy, key: string, state: State): void {
    let states = this.#statesByPolicy.get(policy);
    if (states === undefined) {
      states = new BoundedMap(this.#maxCallers, { maxIdleMs: policy.windowMs, now: this.#now });
      this.#statesByPolicy.set(policy, states);
    }
    states.set(key, state);
  }

  *entries(): Generator<[Policy, State]> {
    for (const [policy, states] of this.#statesByPolicy) {
      for (const state of states.values()) yield [policy, state];
    }
  }
}

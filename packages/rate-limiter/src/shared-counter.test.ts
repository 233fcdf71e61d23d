import { describe, expect, it } from 'vitest';
import { sampleLimits as limits } from '../../../test/support/sample-limits.ts';
import type { Decision } from './counter.ts';
import { type Grant, Ledger, type LedgerMessage } from './ledger.ts';
import type { Policy } from './policy.ts';
import { SharedCounter } from './shared-counter.ts';

/** A ledger and its workers. Messages are delivered when the test says so. */
function setUp(workers: number, maxCallers?: number) {
  const clock = { ms: 0 };
  const now = () => clock.ms;
  const ledger = new Ledger({ now, policies: limits });
  const state = { isReachable: true, messages: 0 };
  const queue: (() => void)[] = [];
  const counters = Array.from({ length: workers }, (_, worker) => {
    let receive: (grant: Grant) => void = () => {};
    return new SharedCounter({
      workers,
      now,
      ...(maxCallers ? { maxCallers } : {}),
      link: {
        send: (message: LedgerMessage) => {
          if (!state.isReachable) return false;
          state.messages++;
          queue.push(() => {
            const grant = ledger.handleMessage(worker, message);
            if (grant) queue.push(() => receive(grant));
          });
          return true;
        },
        onGrant: (listener) => {
          receive = listener;
        },
      },
    });
  });
  /** Delivers all messages, and those that they cause. */
  const deliver = () => {
    for (let message = queue.shift(); message; message = queue.shift()) message();
  };
  const checkLeases = () => {
    for (const counter of counters) {
      counter.releaseIdleLeases();
      counter.expirePendingLeases();
    }
    deliver();
  };
  const take = async (worker: number, policy: Policy = limits.credential, key = 'a'): Promise<Decision> => {
    const decision = counters[worker]?.take(policy, key);
    if (decision === undefined) throw new Error(`There is no worker ${worker}`);
    deliver();
    return decision;
  };
  const admit = async (
    worker: number,
    tries: number,
    policy: Policy = limits.credential,
  ): Promise<number> => {
    let count = 0;
    for (let call = 0; call < tries; call++) if ((await take(worker, policy)).isAdmitted) count++;
    return count;
  };
  return { clock, state, counters, queue, deliver, checkLeases, take, admit, ledger };
}

/** A linear congruential generator: the same numbers for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('SharedCounter', () => {
  it.each(Object.values(limits))(
    'admits exactly the quota of $name when one worker gets all requests',
    async (policy) => {
      const { admit } = setUp(4);
      expect(await admit(0, policy.quota * 2, policy)).toBe(policy.quota);
      expect(await admit(1, policy.quota, policy)).toBe(0);
    },
  );

  it.each(Object.values(limits))(
    'admits no more than the quota of $name over all workers',
    async (policy) => {
      const { take } = setUp(4);
      let count = 0;
      for (let call = 0; call < policy.quota * 4; call++)
        if ((await take(call % 4, policy)).isAdmitted) count++;
      expect(count).toBeLessThanOrEqual(policy.quota);
      expect(count).toBeGreaterThanOrEqual(policy.quota * 0.9);
    },
  );

  it('waits for the ledger in few requests', async () => {
    const { counters, deliver, state } = setUp(4);
    let waits = 0;
    for (let call = 0; call < 600; call++) {
      if (counters[0]?.take(limits.credential, 'a') instanceof Promise) waits++;
      deliver();
    }
    expect(waits).toBeLessThan(8);
    expect(state.messages).toBeLessThan(100);
  });

  it('leaves at least nine tenths of the quota to one worker while the others hold leases', async () => {
    const { admit } = setUp(4);
    // Enough requests for leases of the largest size.
    const others = (await admit(1, 20)) + (await admit(2, 20)) + (await admit(3, 20));
    expect(others + (await admit(0, 1000))).toBeGreaterThanOrEqual(540);
  });

  it('returns units that a worker did not use', async () => {
    const { clock, checkLeases, admit } = setUp(4);
    expect(await admit(1, 20)).toBe(20);
    clock.ms += 1000;
    checkLeases();
    // Ten units have refilled within the second, or a few less: the ledger learns only now how many were unused.
    const rest = await admit(0, 1000);
    expect(rest).toBeLessThanOrEqual(590);
    expect(rest).toBeGreaterThanOrEqual(585);
  });

  it('returns what is left over all workers, and does not ask the ledger about an exhausted quota', async () => {
    const { clock, counters, take, admit, state } = setUp(2);
    expect(await take(0)).toMatchObject({ isAdmitted: true, remaining: 599 });
    expect(await take(1)).toMatchObject({ isAdmitted: true, remaining: 598 });
    await admit(0, 600);
    const { isAdmitted, waitMs } = await take(0);
    expect({ isAdmitted, waitMs }).toEqual({ isAdmitted: false, waitMs: 100 });
    const messages = state.messages;
    for (let call = 0; call < 1000; call++)
      expect(counters[0]?.take(limits.credential, 'a')).not.toBeInstanceOf(Promise);
    expect(state.messages).toBe(messages);
    clock.ms += 100;
    expect(await admit(0, 5)).toBe(1);
  });

  it('resolves all waiting requests in order', async () => {
    const { counters, deliver } = setUp(4);
    const decisions = Array.from({ length: 50 }, () => counters[0]?.take(limits.signIn, 'a'));
    deliver();
    const admitted = (await Promise.all(decisions)).map((decision) => decision?.isAdmitted);
    expect(admitted).toEqual(Array.from({ length: 50 }, (_, index) => index < 10));
  });

  it('knows of an exhausted quota in every worker that has taken from it', async () => {
    const { clock, counters, admit } = setUp(4);
    expect(counters[1]?.peekRejection(limits.failure, 'a')).toBeNull();
    await admit(0, 30, limits.failure);
    expect(counters[0]?.peekRejection(limits.failure, 'a')).toMatchObject({ isAdmitted: false });
    expect(await admit(1, 1, limits.failure)).toBe(0);
    expect(counters[1]?.peekRejection(limits.failure, 'a')).toMatchObject({ isAdmitted: false });
    clock.ms += 2000;
    expect(counters[1]?.peekRejection(limits.failure, 'a')).toBeNull();
  });

  it.each([1, 2, 3, 4, 5])(
    'admits no more than the quota and what has refilled, in any order (seed %i)',
    async (seed) => {
      const random = randomNumbers(seed);
      const { clock, counters, queue, deliver, checkLeases } = setUp(3);
      const policies = [limits.credential, limits.signIn];
      const counts = new Map(policies.map((policy) => [policy, 0]));
      let open = 0;
      let excess = 0;
      const note = (policy: Policy, { isAdmitted }: Decision) => {
        if (isAdmitted) counts.set(policy, (counts.get(policy) ?? 0) + 1);
        open--;
      };
      for (let step = 0; step < 30_000; step++) {
        const policy = policies[random(policies.length)] ?? limits.credential;
        // Workers take turns, so that leases become idle and bursts follow.
        const worker = random(4) === 0 ? random(3) : Math.floor(step / 1000) % 3;
        for (let burst = random(8); burst > 0; burst--) {
          open++;
          const decision = counters[worker]?.take(policy, 'a');
          if (decision instanceof Promise) void decision.then((settled) => note(policy, settled));
          else if (decision) note(policy, decision);
        }
        if (random(3) === 0) queue.shift()?.();
        if (random(2) === 0) clock.ms += random(step % 5000 < 200 ? 400 : 20);
        if (random(50) === 0) {
          // Deliver first, so that no worker takes the ledger to be unreachable.
          deliver();
          checkLeases();
        }
        if (queue.length > 200) deliver();
        if (step % 100 === 0) await Promise.resolve();
        for (const [each, count] of counts) {
          excess = Math.max(excess, count - each.quota - clock.ms / each.intervalMs);
        }
      }
      checkLeases();
      await Promise.resolve();
      expect(open).toBe(0);
      expect(excess).toBeLessThan(0.001);
      for (const [each, count] of counts) {
        expect(count).toBeGreaterThanOrEqual((clock.ms / each.intervalMs) * 0.9);
      }
    },
  );

  it('admits no more than the quota at once after leases were idle', async () => {
    const { clock, admit } = setUp(4);
    for (const worker of [0, 1, 2, 3]) await admit(worker, 20);
    // Leases were not released: the units in them must not be added to those that have refilled.
    clock.ms += 60_000;
    let count = 0;
    for (const worker of [0, 1, 2, 3]) count += await admit(worker, 1000);
    expect(count).toBeLessThanOrEqual(600);
  });

  it('counts units as used that a worker held when it exited', async () => {
    const { clock, checkLeases, admit, ledger } = setUp(4);
    const used = await admit(1, 20);
    ledger.removeWorker(1);
    const rest = await admit(0, 1000);
    expect(used + rest).toBeLessThanOrEqual(600);
    expect(used + rest).toBeGreaterThanOrEqual(540);
    clock.ms += 1000;
    checkLeases();
    clock.ms += 60_000;
    expect(await admit(0, 1000)).toBe(600);
  });

  it('counts its own share while the ledger is unreachable', async () => {
    const { state, admit } = setUp(4);
    state.isReachable = false;
    expect(await admit(0, 1000)).toBe(150);
    expect(await admit(1, 100, limits.signIn)).toBe(2);
  });

  it('waits half a second for a busy ledger, then counts its own share until the ledger replies', async () => {
    const { clock, counters, deliver, checkLeases, admit } = setUp(4);
    const [first] = counters;
    const pending = first?.take(limits.credential, 'a');
    expect(pending).toBeInstanceOf(Promise);
    clock.ms += 500;
    first?.expirePendingLeases();
    expect(await pending).toMatchObject({ isAdmitted: true, remaining: 149 });
    expect(first?.take(limits.credential, 'a')).toMatchObject({ isAdmitted: true, remaining: 148 });
    deliver();
    checkLeases();
    expect(first?.take(limits.credential, 'b')).toBeInstanceOf(Promise);
    deliver();
    expect(await admit(0, 1000)).toBeGreaterThan(590);
  });

  it('resolves every request when there are more callers than it can remember', async () => {
    const { counters, deliver } = setUp(2, 10);
    const decisions = Array.from({ length: 1000 }, (_, caller) =>
      counters[0]?.take(limits.address, `caller ${caller}`),
    );
    deliver();
    const settled = await Promise.all(decisions);
    expect(settled.every((decision) => decision?.isAdmitted)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { sampleLimits as limits } from '../../../../test/support/sample-limits.ts';
import type { Decision } from './counter.ts';
import { Ledger } from './ledger.ts';
import type { Grant, ToLedger } from './ledger-messages.ts';
import type { Policy } from './limits.ts';
import { SharedCounter } from './shared-counter.ts';

/** A first process and its workers; messages are carried when the test says so. */
function setUp(workers: number, maxKeys?: number) {
  const clock = { ms: 0 };
  const now = () => clock.ms;
  const ledger = new Ledger({ now, policies: limits });
  const state = { isReachable: true, messages: 0 };
  const letters: (() => void)[] = [];
  const counters = Array.from({ length: workers }, (_, worker) => {
    let receive: (grant: Grant) => void = () => {};
    return new SharedCounter({
      workers,
      now,
      ...(maxKeys ? { maxKeys } : {}),
      link: {
        send: (message: ToLedger) => {
          if (!state.isReachable) return false;
          state.messages++;
          letters.push(() => {
            const grant = ledger.hear(worker, message);
            if (grant) letters.push(() => receive(grant));
          });
          return true;
        },
        onGrant: (listener) => {
          receive = listener;
        },
      },
    });
  });
  /** Carries all messages that are under way, and those that they bring about. */
  const deliver = () => {
    for (let letter = letters.shift(); letter; letter = letters.shift()) letter();
  };
  const tend = () => {
    for (const counter of counters) counter.tend();
    deliver();
  };
  const take = async (worker: number, policy: Policy = limits.credential, key = 'a'): Promise<Decision> => {
    const decision = counters[worker]?.take(policy, key);
    if (decision === undefined) throw new Error('There is no such worker');
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
  return { clock, state, counters, letters, deliver, tend, take, admit, ledger };
}

/** The same numbers each time, evenly spread. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('the counter of several workers', () => {
  it.each(Object.values(limits))(
    'admits exactly the quota of $name when one worker gets all',
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

  it('hardly ever waits', async () => {
    const { counters, deliver, state } = setUp(4);
    let waits = 0;
    for (let call = 0; call < 600; call++) {
      if (counters[0]?.take(limits.credential, 'a') instanceof Promise) waits++;
      deliver();
    }
    expect(waits).toBeLessThan(8);
    expect(state.messages).toBeLessThan(100);
  });

  it('leaves at least nine tenths to one worker when the others had a little', async () => {
    const { admit } = setUp(4);
    // Enough for them to hold as much in advance as they ever may.
    const others = (await admit(1, 20)) + (await admit(2, 20)) + (await admit(3, 20));
    expect(others + (await admit(0, 1000))).toBeGreaterThanOrEqual(540);
  });

  it('gives back what a worker did not use', async () => {
    const { clock, tend, admit } = setUp(4);
    expect(await admit(1, 20)).toBe(20);
    clock.ms += 1000;
    tend();
    // Ten came back within the second, or a few less: the ledger learns only now how much had been used.
    const rest = await admit(0, 1000);
    expect(rest).toBeLessThanOrEqual(590);
    expect(rest).toBeGreaterThanOrEqual(585);
  });

  it('tells what is left over all workers, and asks nobody about a quota that is used up', async () => {
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

  it('answers all that wait at the same time, in their order', async () => {
    const { counters, deliver } = setUp(4);
    const decisions = Array.from({ length: 50 }, () => counters[0]?.take(limits.signIn, 'a'));
    deliver();
    const admitted = (await Promise.all(decisions)).map((decision) => decision?.isAdmitted);
    expect(admitted).toEqual(Array.from({ length: 50 }, (_, index) => index < 10));
  });

  it('knows in a worker that failed there that the failures are used up', async () => {
    const { clock, counters, admit } = setUp(4);
    expect(counters[1]?.isUsedUp(limits.failure, 'a')).toBeNull();
    await admit(0, 30, limits.failure);
    expect(counters[0]?.isUsedUp(limits.failure, 'a')).toMatchObject({ isAdmitted: false });
    expect(await admit(1, 1, limits.failure)).toBe(0);
    expect(counters[1]?.isUsedUp(limits.failure, 'a')).toMatchObject({ isAdmitted: false });
    clock.ms += 2000;
    expect(counters[1]?.isUsedUp(limits.failure, 'a')).toBeNull();
  });

  it.each([1, 2, 3, 4, 5])(
    'admits no more than the quota and what came back, in any order (seed %i)',
    async (seed) => {
      const random = randomNumbers(seed);
      const { clock, counters, letters, deliver, tend } = setUp(3);
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
        // By turns, so that leases lie idle and bursts come after.
        const worker = random(4) === 0 ? random(3) : Math.floor(step / 1000) % 3;
        for (let burst = random(8); burst > 0; burst--) {
          open++;
          const decision = counters[worker]?.take(policy, 'a');
          if (decision instanceof Promise) void decision.then((settled) => note(policy, settled));
          else if (decision) note(policy, decision);
        }
        if (random(3) === 0) letters.shift()?.();
        if (random(2) === 0) clock.ms += random(step % 5000 < 200 ? 400 : 20);
        if (random(50) === 0) {
          // First, so that nobody finds the first process away and counts alone.
          deliver();
          tend();
        }
        if (letters.length > 200) deliver();
        if (step % 100 === 0) await Promise.resolve();
        for (const [each, count] of counts) {
          excess = Math.max(excess, count - each.quota - clock.ms / each.intervalMs);
        }
      }
      tend();
      await Promise.resolve();
      expect(open).toBe(0);
      expect(excess).toBeLessThan(0.001);
      for (const [each, count] of counts) {
        expect(count).toBeGreaterThanOrEqual((clock.ms / each.intervalMs) * 0.9);
      }
    },
  );

  it('admits no more than the quota at once after leases lay idle', async () => {
    const { clock, admit } = setUp(4);
    for (const worker of [0, 1, 2, 3]) await admit(worker, 20);
    // Nobody tends: what the workers hold must not come on top of what came back meanwhile.
    clock.ms += 60_000;
    let count = 0;
    for (const worker of [0, 1, 2, 3]) count += await admit(worker, 1000);
    expect(count).toBeLessThanOrEqual(600);
  });

  it('takes what a worker held when it died as used', async () => {
    const { clock, tend, admit, ledger } = setUp(4);
    const used = await admit(1, 20);
    ledger.forget(1);
    const rest = await admit(0, 1000);
    expect(used + rest).toBeLessThanOrEqual(600);
    expect(used + rest).toBeGreaterThanOrEqual(540);
    clock.ms += 1000;
    tend();
    clock.ms += 60_000;
    expect(await admit(0, 1000)).toBe(600);
  });

  it('counts its own share while there is no first process', async () => {
    const { state, admit } = setUp(4);
    state.isReachable = false;
    expect(await admit(0, 1000)).toBe(150);
    expect(await admit(1, 100, limits.signIn)).toBe(2);
  });

  it('waits half a second for a first process that is busy, then goes on alone until it answers', async () => {
    const { clock, counters, deliver, tend, admit } = setUp(4);
    const [first] = counters;
    const waiting = first?.take(limits.credential, 'a');
    expect(waiting).toBeInstanceOf(Promise);
    clock.ms += 500;
    first?.tend();
    expect(await waiting).toMatchObject({ isAdmitted: true, remaining: 149 });
    expect(first?.take(limits.credential, 'a')).toMatchObject({ isAdmitted: true, remaining: 148 });
    deliver();
    tend();
    expect(first?.take(limits.credential, 'b')).toBeInstanceOf(Promise);
    deliver();
    expect(await admit(0, 1000)).toBeGreaterThan(590);
  });

  it('answers everybody when there are more callers than room', async () => {
    const { counters, deliver } = setUp(2, 10);
    const decisions = Array.from({ length: 1000 }, (_, caller) =>
      counters[0]?.take(limits.address, `caller ${caller}`),
    );
    deliver();
    const answers = await Promise.all(decisions);
    expect(answers.every((decision) => decision?.isAdmitted)).toBe(true);
  });
});

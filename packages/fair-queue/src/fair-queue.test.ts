import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FairQueue, type FairQueueOptions, type Place, type WaitingClient } from './fair-queue.ts';

const connected: WaitingClient = { isClosed: false };
const rejections = {
  overloaded: new Error('overloaded'),
  callerLimited: new Error('caller limited'),
  disconnected: new Error('disconnected'),
};

const createQueue = (options: Partial<FairQueueOptions>) =>
  new FairQueue({ maxConcurrent: 1, rejectionDelayMs: 0, ...options }, rejections);

/** Sends requests to a queue and records the order in which they are admitted. */
function open(options: Partial<FairQueueOptions>) {
  const queue = createQueue(options);
  const admitted: string[] = [];
  const rejected: string[] = [];
  const places = new Map<string, Place[]>();
  const send = (caller: string, name = caller, connection = connected) => {
    const take = (place: Place) => {
      admitted.push(name);
      places.set(caller, [...(places.get(caller) ?? []), place]);
    };
    const admission = queue.admit(caller, connection);
    if (admission instanceof Promise)
      admission.then(take, (error) => rejected.push(`${name} ${error.message}`));
    else take(admission);
  };
  /** Releases the oldest place of the caller. */
  const release = async (caller: string, cost?: number) => {
    places.get(caller)?.shift()?.release(cost);
    await settle();
  };
  return { queue, admitted, rejected, send, release };
}

/** Waits until promises and timers without delay have settled. */
const settle = async () => {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setTimeout(resolve, 1));
};

describe('a fair queue', () => {
  it('admits as many requests as there are places, at once', () => {
    const { queue, admitted, send } = open({ maxConcurrent: 2 });
    send('a');
    send('b');
    expect([admitted, queue.active, queue.queued]).toEqual([['a', 'b'], 2, 0]);
  });

  it('admits waiting requests of one caller in order, one for each release', async () => {
    const { queue, admitted, send, release } = open({});
    for (const name of ['a1', 'a2', 'a3']) send('a', name);
    expect([admitted, queue.queued]).toEqual([['a1'], 2]);
    await release('a');
    expect([admitted, queue.queued]).toEqual([['a1', 'a2'], 1]);
    await release('a');
    await release('a');
    expect([admitted, queue.active]).toEqual([['a1', 'a2', 'a3'], 0]);
    // Exactly one place is free again.
    send('a', 'a4');
    send('a', 'a5');
    expect(admitted).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('alternates between callers, however many requests of one wait', async () => {
    const { admitted, send, release } = open({ maxConcurrent: 2 });
    for (let n = 1; n <= 6; n++) send('a', `a${n}`);
    send('b', 'b1');
    send('b', 'b2');
    send('c', 'c1');
    for (const caller of ['a', 'a', 'b', 'c', 'b', 'a', 'a']) await release(caller);
    expect(admitted).toEqual(['a1', 'a2', 'b1', 'c1', 'b2', 'a3', 'a4', 'a5', 'a6']);
  });

  it('admits the caller whose requests have cost the least, not the one that has had the fewest', async () => {
    const { admitted, send, release } = open({});
    for (let n = 1; n <= 4; n++) {
      send('expensive', `e${n}`);
      send('cheap', `c${n}`);
    }
    for (let n = 0; n < 7; n++) {
      const last = admitted.at(-1) ?? '';
      await (last.startsWith('e') ? release('expensive', 1_000) : release('cheap', 300));
    }
    expect(admitted).toEqual(['e1', 'c1', 'c2', 'c3', 'c4', 'e2', 'e3', 'e4']);
  });

  it('gives a caller that comes later no credit for the time before', async () => {
    const { admitted, send, release } = open({});
    for (let n = 1; n <= 4; n++) send('a', `a${n}`);
    await release('a', 1_000);
    await release('a', 1_000);
    for (let n = 1; n <= 3; n++) send('b', `b${n}`);
    for (const caller of ['a', 'b', 'a', 'b']) await release(caller, 1_000);
    expect(admitted).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'b3']);
  });

  it('leaves places to other callers, and gives a caller no more than its own', async () => {
    const { admitted, send, release } = open({ maxConcurrent: 3, maxConcurrentPerCaller: 2 });
    for (let n = 1; n <= 4; n++) send('a', `a${n}`);
    expect(admitted).toEqual(['a1', 'a2']);
    send('b', 'b1');
    expect(admitted).toEqual(['a1', 'a2', 'b1']);
    // A release of another caller admits nothing of a caller at its limit.
    await release('b');
    expect(admitted).toEqual(['a1', 'a2', 'b1']);
    await release('a');
    expect(admitted).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('rejects a request when the queue of its caller is full', async () => {
    const { queue, send } = open({ maxQueued: 10, maxQueuedPerCaller: 1, maxConcurrentPerCaller: 1 });
    send('a');
    send('a');
    await expect(queue.admit('a', connected)).rejects.toBe(rejections.callerLimited);
    send('b');
    expect(queue.queued).toBe(2);
  });

  it('spreads rejections, so that callers that retry at once do not return together', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { rejected, send } = open({ maxQueuedPerCaller: 1, rejectionDelayMs: 1_000 });
    for (let request = 0; request < 2 + 200; request++) send('a');
    await vi.advanceTimersByTimeAsync(499);
    expect(rejected).toEqual([]);
    for (let tenth = 1; tenth <= 10; tenth++) {
      const before = rejected.length;
      await vi.advanceTimersByTimeAsync(100);
      expect(rejected.length - before).toBeGreaterThanOrEqual(18);
      expect(rejected.length - before).toBeLessThanOrEqual(22);
    }
    await vi.advanceTimersByTimeAsync(2);
    expect(rejected.length).toBe(200);
  });

  it('rejects the latest request of the longest queue when the total is full', async () => {
    const { queue, rejected, send, admitted, release } = open({ maxQueued: 4, maxQueuedPerCaller: 4 });
    send('a', 'a1');
    for (const name of ['a2', 'a3', 'a4', 'a5']) send('a', name);
    send('b', 'b1');
    await settle();
    expect([rejected, queue.queued]).toEqual([['a5 overloaded'], 4]);
    // Nobody has two requests more than b now.
    send('b', 'b2');
    await settle();
    send('b', 'b3');
    send('c', 'c1');
    await settle();
    expect(rejected).toEqual(['a5 overloaded', 'a4 overloaded', 'b3 overloaded', 'a3 overloaded']);
    for (const caller of ['a', 'b', 'c', 'a', 'b']) await release(caller);
    expect(admitted).toEqual(['a1', 'b1', 'c1', 'a2', 'b2']);
    expect([queue.active, queue.queued]).toEqual([0, 0]);
  });

  it('rejects requests that have waited too long, and no others', async () => {
    let now = 0;
    const { queue, admitted, rejected, send, release } = open({ queueTimeoutMs: 1_000, now: () => now });
    send('a', 'active');
    send('b', 'early');
    now = 600;
    send('b', 'late');
    now = 1_000;
    queue.rejectTimedOut();
    await settle();
    expect([rejected, queue.queued]).toEqual([['early overloaded'], 1]);
    await release('a');
    expect(admitted).toEqual(['active', 'late']);
  });

  it('keeps the places of a caller that retries after a timeout', async () => {
    let now = 0;
    const { queue, admitted, send, release } = open({
      maxConcurrent: 2,
      queueTimeoutMs: 1_000,
      now: () => now,
    });
    for (const caller of ['a', 'b', 'c']) send(caller);
    now = 1_000;
    queue.rejectTimedOut();
    send('c', 'c again');
    send('c', 'c once more');
    await release('a');
    await release('b');
    await release('c');
    await release('c');
    expect([admitted, queue.active, queue.queued]).toEqual([['a', 'b', 'c again', 'c once more'], 0, 0]);
  });

  it('names the own limit of a caller as the reason if the caller waited for it', async () => {
    let now = 0;
    const { queue, rejected, send } = open({
      maxConcurrent: 2,
      maxConcurrentPerCaller: 1,
      queueTimeoutMs: 1_000,
      now: () => now,
    });
    send('a', 'a1');
    send('a', 'a2');
    now = 1_000;
    queue.rejectTimedOut();
    await settle();
    expect(rejected).toEqual(['a2 caller limited']);
  });

  it('checks timeouts by itself while requests wait, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let now = 0;
    const { rejected, send } = open({ queueTimeoutMs: 1_000, now: () => now });
    send('a');
    expect(vi.getTimerCount()).toBe(0);
    for (let round = 1; round <= 2; round++) {
      send('b');
      now += 1_000;
      vi.advanceTimersByTime(50);
      await settle();
      expect([rejected.length, vi.getTimerCount()]).toEqual([round, 0]);
    }
  });

  it('skips requests whose client has disconnected', async () => {
    const { queue, admitted, rejected, send, release } = open({});
    send('a', 'active');
    send('b', 'gone', { ...connected, isClosed: true });
    send('c', 'next');
    await release('a');
    expect([admitted, rejected]).toEqual([['active', 'next'], ['gone disconnected']]);
    expect(queue.queued).toBe(0);
  });

  it('frees a place once, however often it is released', async () => {
    const { queue, admitted, send } = open({});
    const place = await queue.admit('a', connected);
    send('a', 'a2');
    send('a', 'a3');
    place.release();
    place.release();
    await settle();
    expect([admitted, queue.active, queue.queued]).toEqual([['a2'], 1, 1]);
  });

  it('rejects at once a request that would wait for clients who have stopped reading, and no other', async () => {
    const { queue, admitted, rejected, send } = open({ maxConcurrent: 3, maxConcurrentPerCaller: 2 });
    const places = [await queue.admit('a', connected), await queue.admit('a', connected)];
    places[0]?.setStalled(true);
    send('a', 'waits');
    places[1]?.setStalled(true);
    places[1]?.setStalled(true);
    send('a', 'too late');
    send('b');
    await settle();
    expect([rejected, queue.queued]).toEqual([['too late caller limited'], 1]);
    places[1]?.setStalled(false);
    send('a', 'waits too');
    for (const place of places) place.release();
    await settle();
    expect(admitted).toEqual(['b', 'waits', 'waits too']);
    // A place that was released while it was stalled is as good as any other.
    send('a', 'next');
    expect(queue.queued).toBe(1);
  });

  it('lets a caller with debts wait for a bounded time only, although new callers never cease to come', async () => {
    const { admitted, send, release } = open({});
    send('a', 'a1');
    send('a', 'a2');
    send('new 0');
    await release('a', 10);
    for (let n = 1; n <= 50 && !admitted.includes('a2'); n++) {
      send(`new ${n}`);
      await release(`new ${n - 1}`);
    }
    expect(admitted).toContain('a2');
  });

  it('keeps its limits and serves everybody, however many callers come and go', {
    tags: ['long'],
  }, async () => {
    const queue = createQueue({ maxConcurrent: 3, maxConcurrentPerCaller: 2, maxQueued: 10_000 });
    const active = new Map<string, number>();
    let served = 0;
    const visit = async (_: unknown, index: number) => {
      const caller = `caller ${index % 7}`;
      const place = await queue.admit(caller, connected);
      const own = (active.get(caller) ?? 0) + 1;
      active.set(caller, own);
      expect(own).toBeLessThanOrEqual(2);
      expect(queue.active).toBeLessThanOrEqual(3);
      await new Promise((resolve) => setImmediate(resolve));
      active.set(caller, (active.get(caller) ?? 0) - 1);
      served++;
      place.release();
    };
    await Promise.all(Array.from({ length: 5_000 }, visit));
    expect([served, queue.active, queue.queued]).toEqual([5_000, 0, 0]);
  });
});

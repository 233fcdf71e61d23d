import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ClientConnection } from '../database/client-connection.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

const there: ClientConnection = { isClosed: false, onClose: () => () => undefined };

/** A request at the door. Says what came of it once that is known. */
function arrive(concurrencyLimiter: ConcurrencyLimiter, presence = there) {
  const request = { outcome: 'waits' };
  const entering = concurrencyLimiter.admit(presence);
  const note = (outcome: string) => () => {
    request.outcome = outcome;
  };
  if (entering) entering.then(note('is in'), (error) => note(error.message)());
  else request.outcome = 'is in';
  return request;
}

/** Lets what was decided be heard. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const refused = 'The service is overloaded: try again soon';

describe('concurrencyLimiter', () => {
  it('lets in as many as there is room for, at once', () => {
    const concurrencyLimiter = new ConcurrencyLimiter({ maxConcurrent: 2 });
    expect([concurrencyLimiter.admit(there), concurrencyLimiter.admit(there)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(concurrencyLimiter.queued).toBe(0);
  });

  it('lets the others in one by one as somebody leaves, in the order of their coming', async () => {
    const concurrencyLimiter = new ConcurrencyLimiter({ maxConcurrent: 1 });
    const [, b, c] = [arrive(concurrencyLimiter), arrive(concurrencyLimiter), arrive(concurrencyLimiter)];
    expect([b?.outcome, c?.outcome, concurrencyLimiter.queued]).toEqual(['waits', 'waits', 2]);
    concurrencyLimiter.release();
    await settle();
    expect([b?.outcome, c?.outcome, concurrencyLimiter.queued]).toEqual(['is in', 'waits', 1]);
    concurrencyLimiter.release();
    await settle();
    expect([c?.outcome, concurrencyLimiter.queued]).toEqual(['is in', 0]);
    // The place of the last one is free again, and only that.
    concurrencyLimiter.release();
    expect([arrive(concurrencyLimiter).outcome, arrive(concurrencyLimiter).outcome]).toEqual([
      'is in',
      'waits',
    ]);
  });

  it('refuses whom the queue has no room for', async () => {
    const concurrencyLimiter = new ConcurrencyLimiter({
      maxConcurrent: 1,
      maxQueued: 1,
      rejectionDelayMs: 1,
    });
    arrive(concurrencyLimiter);
    const waiting = arrive(concurrencyLimiter);
    await expect(concurrencyLimiter.admit(there)).rejects.toMatchObject({
      code: 'OVERLOADED',
      status: 503,
      headers: { 'retry-after': '1' },
    });
    expect([waiting.outcome, concurrencyLimiter.queued]).toEqual(['waits', 1]);
  });

  it('refuses those who have waited too long, and nobody else', async () => {
    let now = 0;
    const concurrencyLimiter = new ConcurrencyLimiter({
      maxConcurrent: 1,
      queueTimeoutMs: 1_000,
      now: () => now,
    });
    arrive(concurrencyLimiter);
    const early = arrive(concurrencyLimiter);
    now = 600;
    const late = arrive(concurrencyLimiter);
    now = 1_000;
    concurrencyLimiter.rejectTimedOut();
    await settle();
    expect([early.outcome, late.outcome, concurrencyLimiter.queued]).toEqual([refused, 'waits', 1]);
    concurrencyLimiter.release();
    await settle();
    expect(late.outcome).toBe('is in');
  });

  it('looks for those by itself while somebody waits, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let now = 0;
    const concurrencyLimiter = new ConcurrencyLimiter({
      maxConcurrent: 1,
      queueTimeoutMs: 1_000,
      now: () => now,
    });
    arrive(concurrencyLimiter);
    expect(vi.getTimerCount()).toBe(0);
    for (let round = 0; round < 2; round++) {
      const waiting = arrive(concurrencyLimiter);
      now += 1_000;
      vi.advanceTimersByTime(50);
      await settle();
      expect([waiting.outcome, vi.getTimerCount()]).toEqual([refused, 0]);
    }
  });

  it('does nothing for those who have gone', async () => {
    const concurrencyLimiter = new ConcurrencyLimiter({ maxConcurrent: 1 });
    arrive(concurrencyLimiter);
    const gone = arrive(concurrencyLimiter, { ...there, isClosed: true });
    const next = arrive(concurrencyLimiter);
    concurrencyLimiter.release();
    await settle();
    expect([gone.outcome, next.outcome, concurrencyLimiter.queued]).toEqual(['', 'is in', 0]);
  });

  it('loses no place and nobody, however many come and go', async () => {
    const concurrencyLimiter = new ConcurrencyLimiter({ maxConcurrent: 3, maxQueued: 10_000 });
    let inside = 0;
    let most = 0;
    let served = 0;
    const visit = async () => {
      await concurrencyLimiter.admit(there);
      most = Math.max(most, ++inside);
      await settle();
      inside--;
      served++;
      concurrencyLimiter.release();
    };
    await Promise.all(Array.from({ length: 5_000 }, visit));
    expect([served, most, inside, concurrencyLimiter.queued]).toEqual([5_000, 3, 0, 0]);
    expect(concurrencyLimiter.admit(there)).toBeUndefined();
  });
});

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Presence } from '../database/presence.ts';
import { Admission } from './admission.ts';

const there: Presence = { isGone: false, onGone: () => () => undefined };

/** A request at the door. Says what came of it once that is known. */
function arrive(admission: Admission, presence = there) {
  const request = { outcome: 'waits' };
  const entering = admission.enter(presence);
  const note = (outcome: string) => () => {
    request.outcome = outcome;
  };
  if (entering) entering.then(note('is in'), (error) => note(error.message)());
  else request.outcome = 'is in';
  return request;
}

/** Lets what was decided be heard. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const refused = 'More is asked of the service than it can do: try again soon';

describe('admission', () => {
  it('lets in as many as there is room for, at once', () => {
    const admission = new Admission({ mostAtOnce: 2 });
    expect([admission.enter(there), admission.enter(there)]).toEqual([undefined, undefined]);
    expect(admission.waiting).toBe(0);
  });

  it('lets the others in one by one as somebody leaves, in the order of their coming', async () => {
    const admission = new Admission({ mostAtOnce: 1 });
    const [, b, c] = [arrive(admission), arrive(admission), arrive(admission)];
    expect([b?.outcome, c?.outcome, admission.waiting]).toEqual(['waits', 'waits', 2]);
    admission.leave();
    await settle();
    expect([b?.outcome, c?.outcome, admission.waiting]).toEqual(['is in', 'waits', 1]);
    admission.leave();
    await settle();
    expect([c?.outcome, admission.waiting]).toEqual(['is in', 0]);
    // The place of the last one is free again, and only that.
    admission.leave();
    expect([arrive(admission).outcome, arrive(admission).outcome]).toEqual(['is in', 'waits']);
  });

  it('refuses whom the queue has no room for', async () => {
    const admission = new Admission({ mostAtOnce: 1, mostWaiting: 1, pauseMs: 1 });
    arrive(admission);
    const waiting = arrive(admission);
    await expect(admission.enter(there)).rejects.toMatchObject({
      code: 'OVERLOADED',
      status: 503,
      headers: { 'retry-after': '1' },
    });
    expect([waiting.outcome, admission.waiting]).toEqual(['waits', 1]);
  });

  it('refuses those who have waited too long, and nobody else', async () => {
    let now = 0;
    const admission = new Admission({ mostAtOnce: 1, patienceMs: 1_000, now: () => now });
    arrive(admission);
    const early = arrive(admission);
    now = 600;
    const late = arrive(admission);
    now = 1_000;
    admission.refuseLate();
    await settle();
    expect([early.outcome, late.outcome, admission.waiting]).toEqual([refused, 'waits', 1]);
    admission.leave();
    await settle();
    expect(late.outcome).toBe('is in');
  });

  it('looks for those by itself while somebody waits, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let now = 0;
    const admission = new Admission({ mostAtOnce: 1, patienceMs: 1_000, now: () => now });
    arrive(admission);
    expect(vi.getTimerCount()).toBe(0);
    for (let round = 0; round < 2; round++) {
      const waiting = arrive(admission);
      now += 1_000;
      vi.advanceTimersByTime(50);
      await settle();
      expect([waiting.outcome, vi.getTimerCount()]).toEqual([refused, 0]);
    }
  });

  it('does nothing for those who have gone', async () => {
    const admission = new Admission({ mostAtOnce: 1 });
    arrive(admission);
    const gone = arrive(admission, { ...there, isGone: true });
    const next = arrive(admission);
    admission.leave();
    await settle();
    expect([gone.outcome, next.outcome, admission.waiting]).toEqual(['', 'is in', 0]);
  });

  it('loses no place and nobody, however many come and go', async () => {
    const admission = new Admission({ mostAtOnce: 3, mostWaiting: 10_000 });
    let inside = 0;
    let most = 0;
    let served = 0;
    const visit = async () => {
      await admission.enter(there);
      most = Math.max(most, ++inside);
      await settle();
      inside--;
      served++;
      admission.leave();
    };
    await Promise.all(Array.from({ length: 5_000 }, visit));
    expect([served, most, inside, admission.waiting]).toEqual([5_000, 3, 0, 0]);
    expect(admission.enter(there)).toBeUndefined();
  });
});

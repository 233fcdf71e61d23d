import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runPeriodically } from './run-periodically.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // In this order: the spies stand on the faked timers, and would put those back over the real ones.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const ignore = (): void => undefined;

describe('a periodic job', () => {
  it('works again and again, each time after about the same pause', async () => {
    const work = vi.fn(async () => undefined);
    const job = runPeriodically({ everyMs: 1_000, work, onError: ignore });
    await vi.advanceTimersByTimeAsync(899);
    expect(work).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(work.mock.calls.length).toBeGreaterThanOrEqual(9);
    expect(work.mock.calls.length).toBeLessThanOrEqual(12);
    await job.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('pauses for other times in other processes', async () => {
    const pauses = vi.spyOn(globalThis, 'setTimeout');
    for (let count = 0; count < 20; count++) {
      await runPeriodically({ everyMs: 1_000, work: async () => undefined, onError: ignore }).stop();
    }
    const lengths = pauses.mock.calls.map(([, length = 0]) => length);
    expect(new Set(lengths).size).toBeGreaterThan(10);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(900);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_100);
  });

  it('never works twice at a time', async () => {
    let release = ignore;
    const work = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    const job = runPeriodically({ everyMs: 1_000, work, onError: ignore });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(work).toHaveBeenCalledTimes(1);
    release();
    await vi.advanceTimersByTimeAsync(1_200);
    expect(work).toHaveBeenCalledTimes(2);
    release();
    await job.stop();
  });

  it('reports an error and goes on', async () => {
    const errors: unknown[] = [];
    const work = vi.fn(async () => {
      throw new Error('away');
    });
    const job = runPeriodically({ everyMs: 1_000, work, onError: (error) => errors.push(error) });
    await vi.advanceTimersByTimeAsync(2_300);
    expect(errors).toEqual([new Error('away'), new Error('away')]);
    await job.stop();
  });

  it('ends when the running work has, and tells it to hurry', async () => {
    const events: string[] = [];
    let release = ignore;
    const job = runPeriodically({
      everyMs: 1_000,
      onError: ignore,
      work: (signal) => {
        signal.addEventListener('abort', () => events.push('told'));
        return new Promise<void>((resolve) => {
          release = () => {
            events.push('worked');
            resolve();
          };
        });
      },
    });
    await vi.advanceTimersByTimeAsync(1_200);
    const stopped = job.stop().then(() => events.push('stopped'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events).toEqual(['told']);
    release();
    await stopped;
    expect(events).toEqual(['told', 'worked', 'stopped']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not keep the process alive', async () => {
    vi.useRealTimers();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const job = runPeriodically({ everyMs: 60_000, work: async () => undefined, onError: ignore });
    expect(timers.mock.results[0]?.value.hasRef()).toBe(false);
    await job.stop();
  });
});

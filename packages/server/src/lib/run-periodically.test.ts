import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runPeriodically } from './run-periodically.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // In this order: the spies wrap the fake timers, and restoring them later would replace the real ones.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const ignore = (): void => undefined;

describe('a periodic job', () => {
  it('runs repeatedly, each time after about the same pause', async () => {
    const work = vi.fn(async () => undefined);
    const job = runPeriodically({ everyMs: 1_000, work, onError: ignore });
    await vi.advanceTimersByTimeAsync(899);
    expect(work).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(work.mock.calls.length).toBeGreaterThanOrEqual(9);
    expect(work.mock.calls.length).toBeLessThanOrEqual(12);
    await job.stop();
    work.mockClear();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(work).not.toHaveBeenCalled();
  });

  it('varies the pause between processes', async () => {
    const pauses = vi.spyOn(globalThis, 'setTimeout');
    for (let count = 0; count < 20; count++) {
      await runPeriodically({ everyMs: 1_000, work: async () => undefined, onError: ignore }).stop();
    }
    const lengths = pauses.mock.calls.map(([, length = 0]) => length);
    expect(new Set(lengths).size).toBeGreaterThan(10);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(900);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_100);
  });

  it('never runs twice at the same time', async () => {
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

  it('reports an error and continues', async () => {
    const errors: unknown[] = [];
    const work = vi.fn(async () => {
      throw new Error('away');
    });
    const job = runPeriodically({ everyMs: 1_000, work, onError: (error) => errors.push(error) });
    await vi.advanceTimersByTimeAsync(2_300);
    expect(errors).toEqual([new Error('away'), new Error('away')]);
    await job.stop();
  });

  it('aborts the signal of the current run when it is stopped, and waits for it', async () => {
    const events: string[] = [];
    let release = ignore;
    const job = runPeriodically({
      everyMs: 1_000,
      onError: ignore,
      work: (signal) => {
        signal.addEventListener('abort', () => events.push('aborted'));
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
    expect(events).toEqual(['aborted']);
    release();
    await stopped;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events).toEqual(['aborted', 'worked', 'stopped']);
  });

  it('does not keep the process alive', async () => {
    vi.useRealTimers();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const job = runPeriodically({ everyMs: 60_000, work: async () => undefined, onError: ignore });
    expect(timers.mock.results[0]?.value.hasRef()).toBe(false);
    await job.stop();
  });
});

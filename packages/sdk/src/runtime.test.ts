import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defaultRuntime } from './runtime.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('waits as long as it is told', async () => {
  let isOver = false;
  const waiting = defaultRuntime.delay(100).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(99);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(isOver).toBe(true);
});

it('stops waiting when it is aborted', async () => {
  const controller = new AbortController();
  const waiting = defaultRuntime.delay(100, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

it('does not begin to wait when it is aborted already', async () => {
  await expect(defaultRuntime.delay(100, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

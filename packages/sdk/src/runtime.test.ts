import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defaultRuntime } from './runtime.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('resolves after the delay', async () => {
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

it('rejects if it is aborted', async () => {
  const controller = new AbortController();
  const waiting = defaultRuntime.delay(100, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

it('rejects at once if it was aborted before', async () => {
  await expect(defaultRuntime.delay(100, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

it('has no page outside of browsers', () => {
  expect(defaultRuntime.pageOrigin()).toBeNull();
});

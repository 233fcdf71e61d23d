import { describe, expect, it } from 'vitest';
import { ConnectionError, ForbiddenError, ServerError } from '../errors.ts';
import { type RetryOptions, type RetryPolicy, retry } from './retry.ts';

const policy: RetryPolicy = {
  timeoutMs: 30_000,
  maxAttempts: 5,
  deadlineMs: 60_000,
  backoff: { baseMs: 250, capMs: 8_000 },
};

/** Runs attempts that fail with these errors in turn and then succeed. The clock advances only during delays and attempts. */
async function run(
  errors: readonly unknown[],
  {
    attemptMs = 0,
    abortAfter = Number.POSITIVE_INFINITY,
    ...given
  }: Partial<RetryPolicy & RetryOptions> & {
    attemptMs?: number;
    abortAfter?: number;
  } = {},
) {
  let now = 5_000;
  let attempts = 0;
  const pauses: number[] = [];
  const timeouts: number[] = [];
  const controller = new AbortController();
  const clock = {
    now: () => now,
    random: () => 1,
    delay: async (ms: number, signal?: AbortSignal) => {
      pauses.push(ms);
      if (pauses.length >= abortAfter) controller.abort(new Error('enough'));
      signal?.throwIfAborted();
      now += ms;
    },
  };
  const outcome = await retry(
    async (timeoutMs) => {
      timeouts.push(timeoutMs);
      now += attemptMs;
      if (attempts < errors.length) throw errors[attempts++];
      return 'done';
    },
    { ...policy, ...given },
    clock,
    { isRepeatable: true, signal: controller.signal, ...given },
  ).catch((error: unknown) => error);
  return { outcome, pauses, timeouts, attempts: timeouts.length };
}

const broken = new ConnectionError('broken');
const withStatus = (status: number, retryAfterMs: number | null = null) =>
  new ServerError('busy', { status, retryAfterMs });

it('retries what is retryable, and nothing else', async () => {
  const forbidden = new ForbiddenError('no', { status: 403 });
  expect(await run([broken])).toMatchObject({ outcome: 'done', attempts: 2 });
  expect(await run([broken], { isRepeatable: false })).toMatchObject({ outcome: broken, attempts: 1 });
  expect(await run([forbidden])).toMatchObject({ outcome: forbidden, attempts: 1 });
});

describe('pauses and limits', () => {
  it('doubles the pauses', async () => {
    expect((await run([broken, broken, broken, broken])).pauses).toEqual([250, 500, 1000, 2000]);
  });

  it('adds the pause to Retry-After', async () => {
    expect((await run([withStatus(503, 3000), broken])).pauses).toEqual([3250, 500]);
  });

  it('limits the attempts', async () => {
    const last = new ConnectionError('the last one');
    expect(await run([broken, broken, last, broken], { maxAttempts: 3 })).toMatchObject({
      outcome: last,
      attempts: 3,
      pauses: [250, 500],
    });
    expect(await run([broken], { maxAttempts: 1 })).toMatchObject({ outcome: broken, attempts: 1 });
  });

  it('does not pause beyond the deadline', async () => {
    const late = withStatus(503, 60_000);
    expect(await run([late])).toMatchObject({ outcome: late, attempts: 1, pauses: [] });
  });

  it('limits an attempt to the remaining time', async () => {
    const { timeouts } = await run([broken, broken], { attemptMs: 25_000 });
    expect(timeouts).toEqual([30_000, 30_000, 60_000 - 50_000 - 750]);
  });
});

describe('an abort', () => {
  it('ends a pause', async () => {
    const { outcome, attempts } = await run([broken, broken, broken], { abortAfter: 2 });
    expect(outcome).toEqual(new Error('enough'));
    expect(attempts).toBe(2);
  });

  it('prevents the first attempt', async () => {
    const signal = AbortSignal.abort(new Error('never'));
    expect(await run([], { signal })).toMatchObject({ outcome: new Error('never'), attempts: 0 });
  });

  it('takes precedence over the error that it caused', async () => {
    const controller = new AbortController();
    const attempt = async () => {
      controller.abort(new Error('enough'));
      throw new ForbiddenError('no', { status: 403 });
    };
    const clock = { now: () => 0, random: () => 0, delay: async () => undefined };
    await expect(
      retry(attempt, policy, clock, { isRepeatable: true, signal: controller.signal }),
    ).rejects.toThrow('enough');
  });
});

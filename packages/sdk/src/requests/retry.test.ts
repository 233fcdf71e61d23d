import { describe, expect, it } from 'vitest';
import { ConnectionError, ForbiddenError, KeyfrontError, RateLimitError, ServerError } from '../errors.ts';
import { type Retried, type RetryPolicy, retry } from './retry.ts';

const policy: RetryPolicy = {
  timeoutMs: 30_000,
  maxAttempts: 5,
  deadlineMs: 60_000,
  backoff: { baseMs: 250, capMs: 8_000 },
};

/** Runs attempts that fail with these errors, one after the other, and then succeed; no time passes but by waiting. */
async function run(
  errors: readonly unknown[],
  {
    attemptMs = 0,
    abortAfter = Number.POSITIVE_INFINITY,
    ...given
  }: Partial<RetryPolicy & Retried> & {
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
    { method: 'GET', isRepeatable: true, signal: controller.signal, ...given },
  ).catch((error: unknown) => error);
  return { outcome, pauses, timeouts, attempts: timeouts.length };
}

const broken = new ConnectionError('broken');
const withStatus = (status: number, retryAfterMs: number | null = null) =>
  new ServerError('busy', { status, retryAfterMs });
const conflict = new KeyfrontError('running', { status: 409, retryAfterMs: 1000 });

describe('what is tried again', () => {
  it.each<[string, KeyfrontError]>([
    ['a broken connection', broken],
    ...[408, 429, 500, 502, 503, 504].map((status): [string, KeyfrontError] => [
      `${status}`,
      withStatus(status),
    ]),
  ])('%s', async (_what, error) => {
    expect(await run([error])).toMatchObject({ outcome: 'done', attempts: 2 });
  });

  it.each(['GET', 'POST', 'PATCH', 'DELETE'])('%s', async (method) => {
    expect(await run([broken], { method })).toMatchObject({ outcome: 'done', attempts: 2 });
  });

  it('a POST whose first attempt still runs, and only that', async () => {
    expect(await run([conflict], { method: 'POST' })).toMatchObject({ outcome: 'done', pauses: [1250] });
    expect(await run([conflict], { method: 'PATCH' })).toMatchObject({ outcome: conflict, attempts: 1 });
  });
});

describe('what is not', () => {
  it.each([400, 401, 403, 404, 405, 413, 422, 501])('%d', async (status) => {
    const error = new KeyfrontError('no', { status });
    expect(await run([error])).toMatchObject({ outcome: error, attempts: 1 });
  });

  it('a mistake in the program', async () => {
    const error = new TypeError('mistake');
    expect(await run([error])).toMatchObject({ outcome: error, attempts: 1 });
  });

  it('what would count twice, unless the service has said that nothing was done', async () => {
    const request = { method: 'PATCH', isRepeatable: false };
    for (const error of [broken, withStatus(500), withStatus(503)]) {
      expect(await run([error], request)).toMatchObject({ outcome: error, attempts: 1 });
    }
    const limited = new RateLimitError('slowly', { status: 429 });
    expect(await run([limited], request)).toMatchObject({ outcome: 'done', attempts: 2 });
  });
});

describe('how long', () => {
  it('pauses grow', async () => {
    expect((await run([broken, broken, broken, broken])).pauses).toEqual([250, 500, 1000, 2000]);
  });

  it('the advice of the service comes on top', async () => {
    expect((await run([withStatus(503, 3000), broken])).pauses).toEqual([3250, 500]);
  });

  it('the attempts are counted', async () => {
    const last = new ConnectionError('the last one');
    expect(await run([broken, broken, last, broken], { maxAttempts: 3 })).toMatchObject({
      outcome: last,
      attempts: 3,
      pauses: [250, 500],
    });
    expect(await run([broken], { maxAttempts: 1 })).toMatchObject({ outcome: broken, attempts: 1 });
  });

  it('it does not wait where the time would be over', async () => {
    const late = withStatus(503, 60_000);
    expect(await run([late])).toMatchObject({ outcome: late, attempts: 1, pauses: [] });
  });

  it('an attempt gets only the time that is left', async () => {
    const { timeouts } = await run([broken, broken], { attemptMs: 25_000 });
    expect(timeouts).toEqual([30_000, 30_000, 60_000 - 50_000 - 750]);
  });
});

describe('an abort', () => {
  it('ends the waiting', async () => {
    const { outcome, attempts } = await run([broken, broken, broken], { abortAfter: 2 });
    expect(outcome).toEqual(new Error('enough'));
    expect(attempts).toBe(2);
  });

  it('comes before the first attempt', async () => {
    const signal = AbortSignal.abort(new Error('never'));
    expect(await run([], { signal })).toMatchObject({ outcome: new Error('never'), attempts: 0 });
  });

  it('is told in place of what it caused', async () => {
    const controller = new AbortController();
    const attempt = async () => {
      controller.abort(new Error('enough'));
      throw new ForbiddenError('no', { status: 403 });
    };
    const clock = { now: () => 0, random: () => 0, delay: async () => undefined };
    await expect(
      retry(attempt, policy, clock, { method: 'GET', isRepeatable: true, signal: controller.signal }),
    ).rejects.toThrow('enough');
  });
});

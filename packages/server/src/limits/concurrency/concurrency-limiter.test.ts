import { expect, it } from 'vitest';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

it('tells a caller how many requests it may have at a time, and a rejected one when to return', async () => {
  const client = { isClosed: false };
  const limiter = new ConcurrencyLimiter({
    ...{ name: 'test', maxConcurrent: 1, maxQueued: 1, maxQueuedPerCaller: 1, rejectionDelayMs: 0 },
  });
  const [place] = [await limiter.admit('a', client), limiter.admit('b', client)];
  await expect(limiter.admit('b', client)).rejects.toMatchObject({
    code: 'CONCURRENCY_LIMITED',
    status: 429,
    headers: {
      'retry-after': '1',
      'ratelimit-policy': '"test";q=1;qu="concurrent-requests"',
      ratelimit: '"test";r=0;t=1',
    },
  });
  await expect(limiter.admit('c', client)).rejects.toMatchObject({
    code: 'OVERLOADED',
    status: 503,
    headers: { 'retry-after': '1' },
  });
  place.release();
});

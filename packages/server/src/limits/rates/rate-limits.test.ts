import type { Counter } from '@keyfront/rate-limiter';
import { MemoryCounter } from '@keyfront/rate-limiter';
import { describe, expect, it } from 'vitest';
import { sampleLimits } from '../../../../../test/support/sample-limits.ts';
import { ApiError } from '../../lib/errors/api-error.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';

const setUp = (enabled = true) => {
  const clock = { ms: 0 };
  const counter = new MemoryCounter({ now: () => clock.ms });
  return { clock, counter, limits: createRateLimits({ counter, enabled, policies: sampleLimits }) };
};

async function rejectionOf(counting: Promise<unknown>): Promise<ApiError> {
  try {
    await counting;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The request was admitted');
}

const exhaust = async (
  limits: RateLimits,
  name: Parameters<RateLimits['take']>[0],
  caller: string,
  quota: number,
) => {
  for (let call = 0; call < quota; call++) await limits.take(name, caller);
};

describe('rate limits', () => {
  it('return headers with the policy and what is left', async () => {
    const { clock, limits } = setUp();
    expect(await limits.takeCredential('key-1')).toEqual({
      'ratelimit-policy': '"credential";q=600;w=60',
      ratelimit: '"credential";r=599;t=1',
    });
    expect(await limits.take('address', '203.0.113.7')).toEqual({
      'ratelimit-policy': '"address";q=300;w=60',
      ratelimit: '"address";r=299;t=1',
    });
    expect(await limits.take('signIn', '203.0.113.7')).toEqual({
      'ratelimit-policy': '"signIn";q=10;w=60',
      ratelimit: '"signIn";r=9;t=6',
    });
    clock.ms += 3500;
    expect(await limits.take('signIn', '203.0.113.7')).toMatchObject({ ratelimit: '"signIn";r=8;t=3' });
  });

  it('throw a 429 with the time after which to retry', async () => {
    const { clock, limits } = setUp();
    await exhaust(limits, 'signIn', '203.0.113.7', 10);
    const rejection = await rejectionOf(limits.take('signIn', '203.0.113.7'));
    expect(rejection).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      message: 'Too many requests: try again after 6 seconds',
      headers: {
        'retry-after': '6',
        'ratelimit-policy': '"signIn";q=10;w=60',
        ratelimit: '"signIn";r=0;t=6',
      },
    });
    clock.ms += 5500;
    expect(await rejectionOf(limits.take('signIn', '203.0.113.7'))).toMatchObject({
      message: 'Too many requests: try again after 1 second',
      headers: { 'retry-after': '1' },
    });
    clock.ms += 500;
    expect(await limits.take('signIn', '203.0.113.7')).toMatchObject({ ratelimit: '"signIn";r=0;t=6' });
  });

  it('count each limit separately', async () => {
    const { limits } = setUp();
    await exhaust(limits, 'signIn', '203.0.113.7', 10);
    await exhaust(limits, 'nonce', '203.0.113.7', 20);
    expect((await rejectionOf(limits.take('nonce', '203.0.113.7'))).headers['retry-after']).toBe('3');
    await limits.take('address', '203.0.113.7');
    await limits.take('signIn', '203.0.113.8');
  });

  it('count IPv6 addresses by /64 network', async () => {
    const { limits } = setUp();
    for (let host = 1; host <= 10; host++) await limits.take('signIn', `2001:db8:1:2::${host}`);
    await rejectionOf(limits.take('signIn', '2001:db8:1:2:aaaa::1'));
    await limits.take('signIn', '2001:db8:1:3::1');
  });

  it('tell whether an address has sent too many invalid credentials, without counting', async () => {
    const { clock, limits } = setUp();
    for (let failure = 0; failure < 30; failure++) {
      expect(limits.findFailureRejection('203.0.113.7')).toBeNull();
      await limits.takeFailure('203.0.113.7');
    }
    const rejection = limits.findFailureRejection('::ffff:203.0.113.7');
    expect(rejection?.headers).toEqual({
      'retry-after': '2',
      'ratelimit-policy': '"failure";q=30;w=60',
      ratelimit: '"failure";r=0;t=2',
    });
    expect(limits.findFailureRejection('203.0.113.8')).toBeNull();
    clock.ms += 2000;
    for (let look = 0; look < 10; look++) expect(limits.findFailureRejection('203.0.113.7')).toBeNull();
    await limits.takeFailure('203.0.113.7');
    expect(limits.findFailureRejection('203.0.113.7')?.status).toBe(429);
  });

  it('wait for a counter that returns a promise', async () => {
    const decision = { isAdmitted: false, remaining: 0, waitMs: 10 };
    const counter: Counter = { take: async () => decision, peekRejection: () => null };
    const limits = createRateLimits({ counter, enabled: true });
    await expect(limits.takeCredential('key-1')).rejects.toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
    });
  });

  it('do nothing while they are off', async () => {
    const { counter, limits } = setUp(false);
    for (let call = 0; call < 1000; call++) {
      expect(await limits.takeCredential('key-1')).toEqual({});
      await limits.takeFailure('203.0.113.7');
      expect(limits.findFailureRejection('203.0.113.7')).toBeNull();
    }
    expect(counter.size).toBe(0);
  });
});

import { MemoryCounter } from '@keyfront/rate-limiter';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createRateLimits } from '../packages/server/src/limits/rates/rate-limits.ts';
import { curl } from './support/curl.ts';
import { type GuardedApp, sendJson, startGuardedApp } from './support/guarded-app.ts';
import { signWithOpenssl } from './support/openssl.ts';
import { sampleLimits } from './support/sample-limits.ts';
import { startTestApp } from './support/test-app.ts';

let service: GuardedApp;
const clock = { ms: 0 };
beforeAll(async () => {
  const counter = new MemoryCounter({ now: () => clock.ms });
  service = await startGuardedApp(
    undefined,
    createRateLimits({ counter, enabled: true, policies: sampleLimits }),
  );
});
afterAll(() => service.close());

const call = (signature: string) =>
  sendJson(`${service.base}/planets`, 'GET', undefined, {
    'x-auth-apikey': service.key.apiKey,
    'x-auth-signature': signature,
  });

const askNonce = (base: string) =>
  sendJson(`${base}/auth/nonce`, 'POST', { walletAddress: `0x${'a'.repeat(40)}` });

/** Requests a nonce once for each of these headers, all at once and each on a connection of its own. */
const postAll = (base: string, requests: readonly Record<string, string>[]) =>
  Promise.all(
    requests.map((headers) =>
      fetch(`${base}/auth/nonce`, {
        method: 'POST',
        headers: { ...headers, connection: 'close', 'content-type': 'application/json' },
        body: JSON.stringify({ walletAddress: `0x${'a'.repeat(40)}` }),
      }),
    ),
  );

describe('the rate limits of the service', () => {
  it('are in the headers of every response, for the credential or for the address', async () => {
    const signed = await call(signWithOpenssl(service.key, '{}'));
    expect(signed.headers.get('ratelimit-policy')).toBe('"credential";q=600;w=60');
    expect(signed.headers.get('ratelimit')).toMatch(/^"credential";r=599;t=1$/);
    const open = await curl(`${service.base}/public/healthStatus`);
    expect(open.headers.get('ratelimit-policy')).toBe('"address";q=300;w=60');
  });

  it('reject in the envelope, and admit again after Retry-After', async () => {
    const answers = await Promise.all(Array.from({ length: 22 }, () => askNonce(service.base)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.json).toEqual({
      success: false,
      statusCode: 429,
      code: 'RATE_LIMITED',
      message: 'Too many requests: try again after 3 seconds',
      data: null,
    });
    expect(refused?.headers.get('retry-after')).toBe('3');
    clock.ms += 3_000;
    expect((await askNonce(service.base)).status).toBe(201);
    expect((await askNonce(service.base)).status).toBe(429);
  });

  it('limit invalid credentials by address, and never reject a valid one for them', async () => {
    const seenBefore = signWithOpenssl(service.key, '{}');
    expect((await call(seenBefore)).status).toBe(200);
    clock.ms += 60_000;
    const token = await service.signIn(service.ada);
    const wrong = signWithOpenssl(service.key, 'something else');
    for (let guess = 0; guess < 30; guess++) expect((await call(wrong)).status).toBe(401);
    const rejected = await call(wrong);
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '2']);
    expect((await service.call('no token', 'GET', '/planets')).status).toBe(429);
    expect((await curl(`${service.base}/planets`)).status).toBe(429);
    // Others may share the address.
    expect((await call(seenBefore)).status).toBe(200);
    expect((await call(signWithOpenssl(service.key, '{}'))).status).toBe(200);
    expect((await service.call(token, 'GET', '/planets')).status).toBe(200);
    expect((await call(wrong)).status).toBe(429);
    clock.ms += 2_000;
    expect((await call(wrong)).status).toBe(401);
  });
});

describe('the address that a limit counts by', () => {
  it('is the one that the nearest proxy saw, whatever else X-Forwarded-For contains', {
    tags: ['long'],
  }, async () => {
    const counter = new MemoryCounter({ now: () => 0 });
    const { origin, close } = await startTestApp({
      limits: createRateLimits({ counter, enabled: true, policies: sampleLimits }),
      trustProxy: ['loopback'],
    });
    onTestFinished(close);
    const base = `${origin}/api/v1`;
    const forwardedFor = (addresses: string) => ({ 'x-forwarded-for': addresses });
    const inventions = Array.from({ length: sampleLimits.nonce.quota + 2 }, (_, index) =>
      forwardedFor(`192.0.2.${index}, 203.0.113.9`),
    );
    const answers = await postAll(base, inventions);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    const [other] = await postAll(base, [forwardedFor('203.0.113.9, 203.0.113.10')]);
    expect(other?.status).toBe(201);
  });
});

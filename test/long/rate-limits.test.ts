import { describe, expect, it } from 'vitest';
import { limits } from '../../packages/server/src/limits/rates/limits.ts';
import { onTestCluster, startService } from '../support/service-process.ts';

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

describe('the rate limits of several processes', () => {
  it('are shared by all processes', async () => {
    await onTestCluster(async (database) => {
      const running = startService({ ...database, WORKERS: '2', LOG_LEVEL: 'warn' });
      const base = await running.ready;
      const began = performance.now();
      const answers = await postAll(
        base,
        Array.from({ length: 100 }, () => ({})),
      );
      const cameBack = Math.ceil((performance.now() - began) / limits.nonce.intervalMs);
      const admitted = answers.filter(({ status }) => status === 201).length;
      expect(admitted).toBeLessThanOrEqual(limits.nonce.quota + cameBack);
      expect(admitted).toBeGreaterThanOrEqual(limits.nonce.quota * 0.9);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(100 - admitted);
      expect(await running.end()).toBe(0);
    });
  });

  it('count by the address that the nearest proxy saw, whatever else X-Forwarded-For contains', async () => {
    await onTestCluster(async (database) => {
      const running = startService({ ...database, TRUST_PROXY: 'loopback', LOG_LEVEL: 'warn' });
      const base = await running.ready;
      const forwardedFor = (addresses: string) => ({ 'x-forwarded-for': addresses });
      const inventions = Array.from({ length: limits.nonce.quota + 20 }, (_, index) =>
        forwardedFor(`192.0.2.${index}, 203.0.113.9`),
      );
      const answers = await postAll(base, inventions);
      expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
      const [other] = await postAll(base, [forwardedFor('203.0.113.9, 203.0.113.10')]);
      expect(other?.status).toBe(201);
      await running.end();
    });
  });

  it('can be turned off', async () => {
    await onTestCluster(async (database) => {
      const running = startService({ ...database, RATE_LIMIT: 'off', LOG_LEVEL: 'warn' });
      const base = await running.ready;
      const answers = await postAll(
        base,
        Array.from({ length: 80 }, () => ({})),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(answers[0]?.headers.has('ratelimit')).toBe(false);
      await running.end();
    });
  });
});

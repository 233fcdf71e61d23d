import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { curl } from './support/curl.ts';
import { onTestCluster, startService } from './support/service-process.ts';

describe('a service that gets SIGTERM', () => {
  it('fails the readiness check for SHUTDOWN_DELAY, and ends at once after another signal', async () => {
    await onTestCluster(async (database) => {
      const service = startService({ ...database, SHUTDOWN_DELAY: '600' });
      const { origin } = new URL(await service.ready);
      const ready = await curl(`${origin}/health/ready`);
      expect([ready.status, ready.headers.get('connection')]).toEqual([200, 'keep-alive']);
      service.child.kill('SIGTERM');
      await expect.poll(async () => (await curl(`${origin}/health/ready`)).status).toBe(503);
      const live = await curl(`${origin}/health/live`);
      expect([live.status, live.headers.get('connection')]).toEqual([200, 'close']);
      // Within a second, a signal is a repetition of the first one.
      await delay(1_000);
      expect(await service.end('SIGINT')).toBe(1);
      expect(service.output()).toMatch(/\nKeyfront ends at once, because it received another SIGINT\n$/);
    });
  });
});

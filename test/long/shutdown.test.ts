import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openStallablePipe } from '../../faults/src/processes/stallable-pipe.ts';
import { countWaitingForLock } from '../support/connections.ts';
import { curl } from '../support/curl.ts';
import { onTestCluster, startService } from '../support/service-process.ts';

describe('a service that gets SIGTERM', () => {
  it('ends although nobody reads its log and one of its workers hangs', async () => {
    await onTestCluster(async (database) => {
      const pipe = openStallablePipe();
      const service = startService({ ...database, WORKERS: '2', SHUTDOWN_TIMEOUT: '1' }, pipe);
      const { origin } = new URL(await service.ready);
      const listPids = () => [...service.output().matchAll(/"pid":(\d+),"reqId"/g)].map(([, pid]) => pid);
      // Connections go to the workers in turn. Probes that succeed are not in the log.
      for (const _ of [1, 2]) expect((await curl(`${origin}/nowhere`)).status).toBe(404);
      await expect.poll(() => new Set(listPids()).size).toBe(2);
      pipe.stall();
      for (const _ of [1, 2, 3, 4]) expect((await curl(`${origin}/health/ready`)).status).toBe(200);
      const hanging = Number(listPids()[0]);
      process.kill(hanging, 'SIGSTOP');
      service.child.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      expect(() => process.kill(hanging, 0)).toThrow('ESRCH');
    });
  });

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

describe('an error that no code handles', () => {
  /** Loaded into the service: lets a signal cause the error in the process that serves. */
  const failing = `data:text/javascript,${encodeURIComponent(`
    process.on('SIGUSR2', () => setImmediate(() => { throw new Error('thrown on purpose'); }));
    process.on('SIGHUP', () => { Promise.reject(new Error('rejected on purpose')); });
  `)}`;

  it.each([1, 2])('lets requests end before the process does, with %i workers', async (workers) => {
    await onTestCluster(async (database) => {
      const service = startService({
        ...database,
        NODE_OPTIONS: `--import=${failing}`,
        WORKERS: String(workers),
      });
      const baseUrl = await service.ready;
      const owner = new pg.Client(database.DATABASE_OWNER_URL);
      await owner.connect();
      await owner.query('BEGIN; LOCK TABLE keyfront.sign_in_nonces IN ACCESS EXCLUSIVE MODE');
      const nonce = fetch(`${baseUrl}/auth/nonce`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ walletAddress: `0x${'1'.repeat(40)}` }),
      });
      await expect.poll(() => countWaitingForLock(database.DATABASE_OWNER_URL)).toBe(1);
      // The whole group, which is the primary process and its workers. The error is in each of them.
      const { pid = 0 } = service.child;
      process.kill(-pid, 'SIGHUP');
      await expect.poll(() => service.output()).toContain('rejected on purpose');
      expect((await fetch(`${new URL(baseUrl).origin}/health/live`)).status).toBe(200);
      process.kill(-pid, 'SIGUSR2');
      await expect.poll(() => service.output().match(/thrown on purpose/g)?.length).toBeGreaterThanOrEqual(1);
      await owner.query('ROLLBACK');
      await owner.end();
      expect((await nonce).status).toBe(201);
      expect(await service.ended).toBe(1);
      expect(service.output()).toContain('Uncaught exception: shutting down');
    });
  });
});

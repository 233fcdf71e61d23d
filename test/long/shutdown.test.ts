import { describe, expect, it } from 'vitest';
import { openStallablePipe } from '../../faults/src/processes/stallable-pipe.ts';
import { curl } from '../support/curl.ts';
import { onTestCluster, startService } from '../support/service-process.ts';

describe('a service that gets SIGTERM', () => {
  it('ends although nobody reads its log and one of its workers hangs', async () => {
    await onTestCluster(async (database) => {
      const pipe = openStallablePipe();
      const service = startService({ ...database, WORKERS: '2', SHUTDOWN_TIMEOUT: '1' }, pipe);
      const { origin } = new URL(await service.ready);
      const listPids = () => [...service.output().matchAll(/"pid":(\d+),"reqId"/g)].map(([, pid]) => pid);
      // Connections go to the workers in turn.
      for (const _ of [1, 2]) expect((await curl(`${origin}/health/live`)).status).toBe(200);
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
});

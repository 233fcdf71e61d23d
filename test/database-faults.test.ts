import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBlackHole } from './support/black-hole.ts';
import { onTestCluster, startService } from './support/service-process.ts';
import { until } from './support/until.ts';

describe('a service that gets SIGTERM while it runs', () => {
  it('ends in time with exit code 0 if the database no longer responds', async () => {
    await onTestCluster(async (settings) => {
      const network = await startBlackHole(settings.DATABASE_URL);
      onTestFinished(() => network.close());
      const DATA_ENCRYPTION_KEY = 'ab'.repeat(32);
      const service = startService({ ...settings, DATABASE_URL: network.url, DATA_ENCRYPTION_KEY });
      await service.ready;
      network.swallow();
      const startedAt = performance.now();
      expect(await service.end('SIGTERM')).toBe(0);
      // The parts have 3 seconds.
      expect(performance.now() - startedAt).toBeLessThan(8_000);
      // Warnings about lost connections are expected.
      expect(service.output()).not.toMatch(/"level":"(error|fatal)"|FastifyError/);
    });
  });
});

describe('a service that gets SIGTERM while it starts', () => {
  it('ends at once if the database does not respond', async () => {
    await onTestCluster(async (settings) => {
      const network = await startBlackHole(settings.DATABASE_OWNER_URL);
      onTestFinished(() => network.close());
      network.swallow();
      const service = startService({ ...settings, DATABASE_OWNER_URL: network.url });
      await until(
        () => network.connectionCount,
        (count) => count > 0,
      );
      expect(await service.end('SIGTERM')).toBe(0);
      expect(service.output()).toBe('Keyfront was stopped before it was ready\n');
    });
  });

  it('ends at once while another process migrates', async () => {
    await onTestCluster(async (settings) => {
      const other = new pg.Client({ connectionString: settings.DATABASE_OWNER_URL });
      await other.connect();
      other.on('error', () => undefined);
      await other.query('SELECT pg_advisory_lock(7305011940)');
      const service = startService(settings);
      await until(
        () => service.output(),
        (output) => output.includes('Waiting for another process that is migrating the database'),
      );
      expect(await service.end('SIGTERM')).toBe(0);
      await other.end();
    });
  });
});

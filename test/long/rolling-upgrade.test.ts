import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Keyfront } from '@keyfront/sdk';
import { expect, it, onTestFinished } from 'vitest';
import { recount } from '../../faults/src/load/recount.ts';
import { startShoppers } from '../../faults/src/load/shoppers.ts';
import { createTrialStore } from '../../faults/src/load/trial-store.ts';
import type { ServiceProcess } from '../../faults/src/processes/spawn-service.ts';
import { createRandom } from '../../faults/src/random.ts';
import { startBalancer } from '../support/balancer.ts';
import { sampleMigrations } from '../support/sample-migrations.ts';
import { onDemoDatabase, startOtherService, startService } from '../support/service-process.ts';
import { runSql } from '../support/test-database.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const server = join(root, 'packages/server');
const instanceCount = 3;

/** Copies the built service and adds migrations: the next version. Returns its file `main.js`. */
async function buildLaterVersion(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-later-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'dist'));
  for (const part of ['dist/bundle', 'migrations', 'package.json']) {
    cpSync(join(server, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, sql] of Object.entries(sampleMigrations)) {
    writeFileSync(join(folder, 'migrations', name), sql);
  }
  return join(folder, 'dist/bundle/main.js');
}

it('three instances are replaced by the next version while orders are placed, and no event is lost', async () => {
  const later = await buildLaterVersion();
  const balancer = await startBalancer();
  onTestFinished(() => balancer.close());
  await onDemoDatabase(async (demoSettings) => {
    const settings = {
      ...demoSettings,
      PUBLIC_URL: balancer.origin,
      RATE_LIMIT: 'off',
      // Longer than the balancer takes to notice that an instance is not ready.
      SHUTDOWN_DELAY: '1',
    };
    const baseUrl = `${balancer.origin}/api/v1`;
    const ownerUrl = settings.DATABASE_OWNER_URL;
    const addToBalancer = async (service: ServiceProcess) => {
      const { origin } = new URL(await service.ready);
      balancer.add(origin);
      return { service, origin };
    };
    const current = await Promise.all(
      Array.from({ length: instanceCount }, () => addToBalancer(startService(settings))),
    );

    const [holder] = JSON.parse(await readFile(join(settings.KEYFRONT_DATA, 'demo.json'), 'utf8')).holders;
    const store = await createTrialStore(ownerUrl, holder.primaryTokenId, 64);
    const shoppers = startShoppers(baseUrl, holder, store, createRandom(1));
    const { apiKey, secretKey } = holder;
    const keyfront = new Keyfront({ baseUrl, apiKey, secretKey });
    const streamed = new Set<string>();
    const stopStream = new AbortController();
    const streaming = (async () => {
      for await (const { data } of keyfront.events.stream(
        { type: 'order.created' },
        { signal: stopStream.signal },
      )) {
        streamed.add((data as { id: string }).id);
      }
    })();
    streaming.catch(() => undefined);
    await shoppers.waitForOrders(30);

    for (const { service, origin } of current) {
      // The first of them applies the migrations, while the others serve.
      const next = await addToBalancer(startOtherService(later, settings));
      await until(
        () => balancer.counts.get(next.origin) ?? 0,
        (count) => count > 0,
      );
      expect(await service.end()).toBe(0);
      balancer.remove(origin);
      await shoppers.waitForOrders(20);
    }
    await shoppers.waitForOrders(30);
    const report = await shoppers.stop();
    console.log(`${report.orders.size} orders, ${balancer.failures} attempts failed before a retry`);

    expect(await recount(ownerUrl, store, report)).toEqual([]);
    const applied = await runSql<{ name: string }>(
      ownerUrl,
      `SELECT name FROM keyfront.migrations WHERE name > '9' ORDER BY name`,
    );
    expect(applied.map(({ name }) => name)).toEqual(Object.keys(sampleMigrations));
    // The log has an event for each acknowledged order, and so has the stream, which was interrupted several times.
    const logged = new Set<string>();
    let after: string | null = null;
    for (let hasMore = true; hasMore; ) {
      const page = await keyfront.events.list({ type: 'order.created', take: 100, ...(after && { after }) });
      for (const { data } of page.events) logged.add((data as { id: string }).id);
      after = page.nextAfter;
      hasMore = page.hasMore;
    }
    const acknowledged = [...report.orders.keys()];
    expect(acknowledged.filter((id) => !logged.has(id))).toEqual([]);
    await until(
      () => acknowledged.filter((id) => !streamed.has(id)),
      (missing) => missing.length === 0,
    );
    stopStream.abort();
    await streaming.catch(() => undefined);
  });
});

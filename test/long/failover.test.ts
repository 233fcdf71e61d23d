import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyfront } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { recount } from '../../faults/src/load/recount.ts';
import { startShoppers } from '../../faults/src/load/shoppers.ts';
import { createTrialStore } from '../../faults/src/load/trial-store.ts';
import { serviceSettings, startDatabase } from '../../faults/src/processes/database.ts';
import { getPostmasterPid } from '../../faults/src/processes/spawn-service.ts';
import { startStandby } from '../../faults/src/processes/standby.ts';
import { createRandom } from '../../faults/src/random.ts';
import { startBalancer } from '../support/balancer.ts';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const writesAgainWithinMs = 15_000;

/** `postgres://…@first/…` becomes `postgres://…@first,second/…`. */
const withSecondHost = (url: string, port: number) => url.replace(/(:\d+)\//, `$1,127.0.0.1:${port}/`);

it('two instances write again within 15 seconds after the primary is killed, and lose nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-failover-'));
  const primary = await startDatabase(join(folder, 'primary'));
  const balancer = await startBalancer();
  const stops = [() => balancer.close(), () => primary.stop()];
  try {
    const prepared = serviceSettings(primary.loginUrl, primary.ownerUrl);
    const data = join(folder, 'data');
    // Creates the schema and the demo.
    const first = startService({ ...prepared, KEYFRONT_DATA: data, KEYFRONT_DEMO: 'on' });
    await first.ready;
    expect(await first.end()).toBe(0);
    const standby = await startStandby(primary.ownerUrl, join(folder, 'standby'));
    stops.unshift(() => standby.stop());

    const settings = {
      ...serviceSettings(
        withSecondHost(primary.loginUrl, standby.port),
        withSecondHost(primary.ownerUrl, standby.port),
      ),
      DATABASE_REPLICA_URL: withSecondHost(primary.loginUrl, standby.port),
      PUBLIC_URL: balancer.origin,
      KEYFRONT_DATA: data,
      KEYFRONT_DEMO: 'on',
      METRICS_TOKEN: 'a token for the metrics of tests',
      RATE_LIMIT: 'off',
    };
    const services = [startService(settings), startService(settings)];
    const origins = await Promise.all(services.map(async ({ ready }) => new URL(await ready).origin));
    for (const origin of origins) balancer.add(origin);
    const [holder] = JSON.parse(await readFile(join(data, 'demo.json'), 'utf8')).holders;
    const store = await createTrialStore(primary.ownerUrl, holder.primaryTokenId, 64);
    const shoppers = startShoppers(`${balancer.origin}/api/v1`, holder, store, createRandom(1));
    await shoppers.waitForOrders(50);

    // Own writes are in the list at once, which a replica may have served.
    const { apiKey, secretKey } = holder;
    const keyfront = new Keyfront({ baseUrl: `${balancer.origin}/api/v1`, apiKey, secretKey });
    const readMetrics = async () =>
      (
        await Promise.all(
          origins.map(async (origin) =>
            (
              await fetch(`${origin}/metrics`, {
                headers: { authorization: `Bearer ${settings.METRICS_TOKEN}` },
              })
            ).text(),
          ),
        )
      ).join('\n');
    const replicaReads = new RegExp(
      `^database_replica_reads_total\\{server="127.0.0.1:${standby.port}"\\} [1-9]`,
      'm',
    );
    await until(
      async () => {
        await keyfront.orders.list({ take: 5 });
        return readMetrics();
      },
      (metrics) => replicaReads.test(metrics),
    );

    // The whole group at once, as a machine that loses its power.
    const killedAt = performance.now();
    process.kill(-getPostmasterPid(join(folder, 'primary')), 'SIGKILL');
    await standby.promote();
    await shoppers.waitForOrders(1);
    const outageMs = performance.now() - killedAt;
    console.log(`The first order after the primary was killed took ${Math.round(outageMs)} ms`);
    await shoppers.waitForOrders(50);
    const { orders } = await keyfront.orders.list({ take: 5 });
    expect(orders).toHaveLength(5);
    const report = await shoppers.stop();
    expect(await recount(standby.ownerUrl, store, report)).toEqual([]);
    expect(outageMs).toBeLessThan(writesAgainWithinMs);
    // Each instance has seen the promoted replica as the primary, which has no metrics of replicas.
    const usedAsReplica = new RegExp(`^database_replica_used\\{replica="127.0.0.1:${standby.port}"\\}`, 'm');
    await until(readMetrics, (metrics) => !usedAsReplica.test(metrics));
    for (const service of services) expect(await service.end()).toBe(0);
  } finally {
    for (const stop of stops) await stop();
    await rm(folder, { recursive: true, force: true });
  }
});

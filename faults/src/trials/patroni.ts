import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serviceSettings } from '../processes/database.ts';
import {
  findPatroniLack,
  leaseSeconds,
  type PatroniCluster,
  startPatroniCluster,
} from '../processes/patroni-cluster.ts';
import { describeLoad, type Trial } from './trial.ts';
import { startTrialService, type TrialService } from './trial-service.ts';

type Fault = (cluster: PatroniCluster) => Promise<void>;

/** What happens to the cluster. Each ends with the servers running again. */
const faults: Readonly<Record<string, Fault>> = {
  'The primary is switched over': (cluster) => cluster.switchOver(),
  'PostgreSQL of the primary is killed': async (cluster) => {
    (await cluster.waitForAll()).killPostgres();
  },
  'The primary is killed, with its Patroni': async (cluster) => {
    const leader = await cluster.waitForAll();
    await leader.kill();
    await cluster.waitForLeader();
    await leader.start();
  },
  'The primary freezes for longer than its lease, and a watchdog resets it': async (cluster) => {
    const leader = await cluster.waitForAll();
    leader.freeze();
    await delay((leaseSeconds + 1) * 1000);
    await leader.kill();
    await leader.start();
  },
  'A standby is killed, with its Patroni': async (cluster) => {
    const leader = await cluster.waitForAll();
    const standby = cluster.nodes.find((node) => node !== leader);
    await standby?.kill();
    await standby?.start();
  },
  'etcd is killed for longer than the lease': async (cluster) => {
    await cluster.waitForAll();
    await cluster.killEtcd();
    await delay((leaseSeconds + 1) * 1000);
    await cluster.startEtcd();
  },
};

/** Two instances on a cluster of three servers, whose primary moves in every way that Patroni has. */
export const patroni: Trial = {
  name: 'patroni',
  findLack: findPatroniLack,
  run: async (context) => {
    const { sizes, random, progress } = context;
    progress('Starting three servers, and etcd');
    const cluster = await startPatroniCluster(join(context.folder, 'cluster'));
    const services: TrialService[] = [];
    try {
      for (let count = 0; count < 2; count++) {
        services.push(
          await startTrialService(context, {
            settings: {
              ...serviceSettings(cluster.loginUrl, cluster.ownerUrl),
              DATA_ENCRYPTION_KEY: 'ab'.repeat(32),
              WORKERS: '2',
            },
            dataFolder: join(context.folder, 'data'),
            ownerUrl: () => cluster.leaderUrl(),
          }),
        );
      }
      const names = Object.keys(faults);
      for (let round = 0; round < sizes.kills; round++) {
        await waitForOrders(services, 1 + random.below(sizes.ordersBetweenFaults), 'the last fault');
        // Each of them once before chance decides.
        const name = names[round] ?? random.pick(names);
        progress(`${round + 1} of ${sizes.kills}: ${name}`);
        await faults[name]?.(cluster);
      }
      await waitForOrders(services, 1, 'the last fault');
      await cluster.waitForAll();
      // All of them first: whoever still ordered would change what is counted.
      for (const { shoppers } of services) await shoppers.stop();
      const results = [];
      for (const service of services) results.push(await service.finish());
      return {
        problems: results.flatMap(({ problems }) => problems),
        summary: [
          `${sizes.kills} faults`,
          ...results.map(({ report }, index) => `instance ${index + 1}: ${describeLoad(report)}`),
        ].join('; '),
      };
    } catch (error) {
      for (const service of services) await service.kill();
      throw error;
    } finally {
      await cluster.stop();
    }
  },
};

/** Patroni needs its lease, and a rewind takes as long as the disk lets it. */
const recoveryTimeoutMs = 180_000;

async function waitForOrders(services: readonly TrialService[], count: number, fault: string): Promise<void> {
  await Promise.all(services.map((service) => service.waitForOrders(count, fault, recoveryTimeoutMs)));
}

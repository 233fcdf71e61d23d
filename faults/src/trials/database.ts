import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serviceSettings, startDatabase } from '../processes/database.ts';
import { networkFaults, startFaultProxy } from '../processes/fault-proxy.ts';
import { getPostmasterPid } from '../processes/spawn-service.ts';
import { type Standby, startStandby } from '../processes/standby.ts';
import { describeLoad, type Trial } from './trial.ts';
import { startTrialService } from './trial-service.ts';

const shortestFaultMs = 50;
const longestFaultMs = 1_000;

/** Lets the network between the service and its database fail, then kills the database and moves to a standby. */
export const database: Trial = {
  name: 'database',
  run: async (context) => {
    const { sizes, random, progress } = context;
    const first = await startDatabase(join(context.folder, 'database'));
    const proxy = await startFaultProxy(first.loginUrl);
    let primary = { ownerUrl: first.ownerUrl, pid: getPostmasterPid(join(context.folder, 'database')) };
    const standbys: Standby[] = [];
    try {
      const service = await startTrialService(context, {
        settings: serviceSettings(proxy.url, first.ownerUrl),
        dataFolder: join(context.folder, 'data'),
        ownerUrl: async () => primary.ownerUrl,
      });
      try {
        for (let round = 0; round < sizes.networkFaults; round++) {
          await service.waitForOrders(1 + random.below(sizes.ordersBetweenFaults), 'the last fault');
          // Each of them once before chance decides.
          const fault = networkFaults[round] ?? random.pick(networkFaults);
          progress(`The network ${fault}`);
          proxy.fail(fault);
          await delay(shortestFaultMs + random.below(longestFaultMs));
          proxy.heal();
        }
        for (let round = 0; round < sizes.failovers; round++) {
          progress('Starting a standby');
          const standby = await startStandby(primary.ownerUrl, join(context.folder, `standby-${round}`));
          standbys.push(standby);
          await service.waitForOrders(1 + random.below(sizes.ordersBetweenFaults), 'the start of a standby');
          progress('Killing the primary, and promoting the standby');
          process.kill(primary.pid, 'SIGKILL');
          await standby.promote();
          proxy.switchTo(standby.port);
          primary = standby;
        }
        await service.waitForOrders(1, 'the last fault');
        const { report, problems } = await service.finish();
        const done = `${sizes.networkFaults} network faults, ${sizes.failovers} failovers`;
        return { problems, summary: `${done}; ${describeLoad(report)}` };
      } catch (error) {
        await service.kill();
        throw error;
      }
    } finally {
      await proxy.close();
      for (const server of [first, ...standbys]) await server.stop();
    }
  },
};

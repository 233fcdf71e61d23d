import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findChildren } from '../processes/find-children.ts';
import { findOwnerUrl } from '../processes/find-owner-url.ts';
import { findPostmasterPid, killTree, type ServiceProcess } from '../processes/spawn-service.ts';
import { describeLoad, type Trial, type TrialContext } from './trial.ts';
import { startTrialService, type TrialService } from './trial-service.ts';

const victims = ['the service', 'a worker', 'the database', 'everything'] as const;
type Victim = (typeof victims)[number];

/** A start is killed at a moment from before its first line of code to after it is ready. */
const longestStartMs = 2_000;

/** Kills processes of a service with its embedded database, again and again, also while they start. */
export const kills: Trial = {
  name: 'kills',
  run: async (context) => {
    const { sizes, random, progress } = context;
    const dataFolder = join(context.folder, 'data');
    const service = await startTrialService(context, {
      settings: { WORKERS: '2' },
      dataFolder,
      ownerUrl: () => findOwnerUrl(dataFolder),
    });
    const counts = new Map<string, number>();
    const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
    try {
      const endAt = Date.now() + sizes.minutes * 60_000;
      let killCount = 0;
      for (let round = 0; killCount < sizes.kills || Date.now() < endAt; round++) {
        await service.waitForOrders(1 + random.below(sizes.ordersBetweenFaults), 'the last restart');
        // Each of them once before chance decides.
        const victim = victims[round] ?? random.pick(victims);
        progress(`Killing ${victim}`);
        count(victim);
        killCount += 1;
        await kill(victim, service.current(), dataFolder, context);
        if (victim !== 'the service' && victim !== 'everything') continue;
        // The first restart and half of the others.
        if (!counts.has('a start') || random.below(2) === 0) {
          progress('Killing everything during the start');
          count('a start');
          killCount += 1;
          await killDuringStart(service, context);
        }
        await service.restart();
      }
      const { report, problems } = await service.finish();
      const killed = [...counts].map(([what, times]) => `${what} ${times}`).join(', ');
      return { problems, summary: `killed: ${killed}; ${describeLoad(report)}` };
    } catch (error) {
      await service.kill();
      throw error;
    }
  },
};

async function kill(
  victim: Victim,
  service: ServiceProcess,
  dataFolder: string,
  { random }: TrialContext,
): Promise<void> {
  const pid = service.child.pid ?? 0;
  const postmaster = findPostmasterPid(dataFolder);
  switch (victim) {
    case 'the service':
      await service.end('SIGKILL');
      break;
    case 'everything':
      await killTree(service);
      break;
    case 'a worker':
      process.kill(random.pick(findChildren(pid).filter((child) => child !== postmaster)), 'SIGKILL');
      break;
    case 'the database':
      if (postmaster !== null) process.kill(postmaster, 'SIGKILL');
      break;
  }
}

async function killDuringStart(service: TrialService, { random }: TrialContext): Promise<void> {
  const starting = service.spawn();
  await Promise.race([delay(random.below(longestStartMs)), starting.ended]);
  await killTree(starting);
}

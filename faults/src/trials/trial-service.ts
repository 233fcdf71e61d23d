import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { recount } from '../load/recount.ts';
import { type HolderCredentials, type LoadReport, type Shoppers, startShoppers } from '../load/shoppers.ts';
import { createTrialStore, type TrialStore } from '../load/trial-store.ts';
import { findFreePort } from '../processes/free-port.ts';
import { killTree, type ServiceProcess, spawnService } from '../processes/spawn-service.ts';
import type { StallablePipe } from '../processes/stallable-pipe.ts';
import type { TrialContext } from './trial.ts';

/** A service under load, which can be started again at the same address. */
export interface TrialService {
  readonly holder: HolderCredentials;
  readonly store: TrialStore;
  readonly shoppers: Shoppers;
  readonly baseUrl: string;
  current(): ServiceProcess;
  /** Starts the service again after it has ended. */
  restart(): Promise<void>;
  /** Starts the service without waiting until it is ready. */
  spawn(): ServiceProcess;
  /** Waits until orders are placed again. Throws if that takes too long. */
  waitForOrders(count: number, fault: string): Promise<void>;
  /** Ends load and service, and counts everything again. */
  finish(): Promise<{ readonly report: LoadReport; readonly problems: string[] }>;
  /** Kills everything, when a trial has failed. */
  kill(): Promise<void>;
}

export interface TrialServiceOptions {
  readonly settings: Record<string, string>;
  readonly dataFolder: string;
  /** Connects to the database as its owner, whatever happens to the service and to the network. */
  readonly ownerUrl: () => Promise<string>;
  readonly pipe?: StallablePipe;
}

const clientCount = 256;
/** The service must place orders again within this time. */
const recoveryTimeoutMs = 60_000;

/** Starts a service with the demo and shoppers. */
export async function startTrialService(
  { random }: TrialContext,
  { settings, dataFolder, ownerUrl, pipe }: TrialServiceOptions,
): Promise<TrialService> {
  const port = String(await findFreePort());
  const spawn = () =>
    spawnService(
      { RATE_LIMIT: 'off', ...settings, KEYFRONT_DATA: dataFolder, KEYFRONT_DEMO: 'on', PORT: port },
      pipe,
    );
  let current = spawn();
  try {
    const baseUrl = await current.ready;
    const [holder] = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')).holders;
    const store = await createTrialStore(await ownerUrl(), holder.primaryTokenId, clientCount);
    const shoppers = startShoppers(baseUrl, holder, store, random);
    return {
      holder,
      store,
      shoppers,
      baseUrl,
      current: () => current,
      spawn: () => {
        current = spawn();
        return current;
      },
      restart: async () => {
        current = spawn();
        await current.ready;
      },
      waitForOrders: async (count, fault) => {
        const timer = new AbortController();
        const timeout = delay(recoveryTimeoutMs, undefined, { signal: timer.signal }).then(() => {
          throw new Error(`No order was placed within ${recoveryTimeoutMs / 1000} s after: ${fault}`);
        });
        await Promise.race([shoppers.waitForOrders(count), timeout]).finally(() => timer.abort());
        timeout.catch(() => undefined);
      },
      finish: async () => {
        const report = await shoppers.stop();
        const problems = await recount(await ownerUrl(), store, report);
        const exit = await current.end();
        return { report, problems: exit === 0 ? problems : [...problems, `The service ended with ${exit}`] };
      },
      kill: () => killTree(current),
    };
  } catch (error) {
    await killTree(current);
    throw error;
  }
}

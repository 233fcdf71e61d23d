import { type HolderCredentials, readDemo } from '../load/holders.ts';
import { recount } from '../load/recount.ts';
import { type LoadReport, type Shoppers, startShoppers } from '../load/shoppers.ts';
import { createTrialStore, type TrialStore } from '../load/trial-store.ts';
import { type Instance, spawnInstance } from '../processes/instance.ts';
import { killTree } from '../processes/spawn-service.ts';
import type { StallablePipe } from '../processes/stallable-pipe.ts';
import { type TrialContext, within } from './trial.ts';

/** A service under load, which can be started again at the same address. */
export interface TrialService extends Instance {
  readonly holder: HolderCredentials;
  readonly store: TrialStore;
  readonly shoppers: Shoppers;
  /** Waits until orders are placed again. Throws if that takes too long. */
  waitForOrders(count: number, fault: string, timeoutMs?: number): Promise<void>;
  /** Ends load and service, repeats every request, and counts everything again. */
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

/** Starts a service with the demo and shoppers. */
export async function startTrialService(
  { random }: TrialContext,
  { settings, dataFolder, ownerUrl, pipe }: TrialServiceOptions,
): Promise<TrialService> {
  const instance = await spawnInstance(
    { RATE_LIMIT: 'off', ...settings, KEYFRONT_DATA: dataFolder, KEYFRONT_DEMO: 'on' },
    pipe,
  );
  const { baseUrl, current } = instance;
  try {
    await current().ready;
    const { holders } = readDemo(dataFolder);
    const [holder] = holders;
    const store = await createTrialStore(await ownerUrl(), holder.primaryTokenId, clientCount);
    const shoppers = startShoppers(baseUrl, holder, store, random);
    return {
      ...instance,
      holder,
      store,
      shoppers,
      waitForOrders: (count, fault, timeoutMs) =>
        within(shoppers.waitForOrders(count), `No order was placed after ${fault}`, timeoutMs),
      finish: async () => {
        const report = await shoppers.stop();
        // First, because a request that is executed again leaves an order that nobody knows.
        const repeated = await shoppers.repeatAll();
        const problems = [...repeated, ...(await recount(await ownerUrl(), store, report))];
        const exit = await current().end();
        return { report, problems: exit === 0 ? problems : [...problems, `The service ended with ${exit}`] };
      },
      kill: () => killTree(current()),
    };
  } catch (error) {
    await killTree(current());
    throw error;
  }
}

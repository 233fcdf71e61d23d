import { ForbiddenError, Keyfront } from '@keyfront/sdk';
import type { Random } from '../random.ts';
import type { HolderCredentials } from './holders.ts';
import { KeyedRequests } from './keyed-requests.ts';
import type { TrialStore } from './trial-store.ts';

/** What the service has acknowledged. Nothing is in doubt: each request is repeated until it has a response. */
export interface LoadReport {
  /** The client of each order that was acknowledged. */
  readonly orders: ReadonlyMap<string, string>;
  /** For each client, the quantities that must be in the cart by strain. */
  readonly carts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The number of orders that were refused for lack of stock. */
  readonly refusedCount: number;
}

export interface Shoppers {
  readonly report: LoadReport;
  /** Waits until this many more orders have been acknowledged. */
  waitForOrders(count: number): Promise<void>;
  /** Lets each shopper finish. Throws if one of them has failed. The service must be running. */
  stop(): Promise<LoadReport>;
  /** Repeats everything that was acknowledged. Returns a sentence for each request that did not get its first response again. */
  repeatAll(): Promise<string[]>;
}

const shopperCount = 8;
const maxQuantity = 3;
/** One order in this many is for the strain that sells out. */
const scarceShare = 10;
/** Less than the number of clients of one shopper. */
const maxLeftAlone = 7;
const neverGiveUp = { maxAttempts: 100_000, deadlineMs: 600_000 };
/** Short, because a connection that hangs would stop a shopper for this time. */
const timeoutMs = 15_000;
const backoff = { baseMs: 10, capMs: 200 };

/** Starts shoppers who fill carts and order, one after the other, until they are stopped. */
export function startShoppers(
  baseUrl: string,
  credentials: HolderCredentials,
  store: TrialStore,
  random: Random,
): Shoppers {
  const { apiKey, secretKey } = credentials;
  const keyed = new KeyedRequests();
  const { fetch } = keyed;
  const keyfront = new Keyfront({ baseUrl, apiKey, secretKey, timeoutMs, backoff, fetch, ...neverGiveUp });
  const orders = new Map<string, string>();
  const carts = new Map<string, Map<string, number>>();
  let refusedCount = 0;
  let isStopping = false;
  const leftAlone = new Set<string>();
  let waiters: { readonly at: number; readonly resolve: () => void }[] = [];

  const pickStrain = () => {
    const plentiful = store.strains.slice(0, -1);
    const scarce = store.strains.slice(-1);
    return random.pick(random.below(scarceShare) === 0 ? scarce : plentiful).id;
  };

  const shopOnce = async (clientId: string): Promise<void> => {
    const cart = carts.get(clientId) ?? new Map<string, number>();
    carts.set(clientId, cart);
    const strainId = pickStrain();
    const quantity = 1 + random.below(maxQuantity);
    const { id: cartId } = await keyfront.carts.add({ clientId, cartItems: [{ strainId, quantity }] });
    cart.set(strainId, quantity);
    try {
      const { id } = await keyfront.orders.create({ clientId });
      orders.set(id, clientId);
    } catch (error) {
      if (!(error instanceof ForbiddenError)) throw error;
      refusedCount += 1;
      // Some carts stay as they are, which the recount checks.
      if (leftAlone.size < maxLeftAlone) {
        leftAlone.add(clientId);
        return;
      }
      await keyfront.carts.delete(cartId);
    }
    cart.clear();
    for (const { resolve } of waiters.filter(({ at }) => orders.size >= at)) resolve();
    waiters = waiters.filter(({ at }) => orders.size < at);
  };

  const shop = async (clientIds: readonly string[]): Promise<void> => {
    while (!isStopping) {
      const clientId = random.pick(clientIds);
      if (!leftAlone.has(clientId)) await shopOnce(clientId);
    }
  };
  const shoppers = Array.from({ length: shopperCount }, (_, index) =>
    shop(store.clientIds.filter((_id, position) => position % shopperCount === index)),
  );
  const finished = Promise.all(shoppers);
  // Reported by `stop` and `waitForOrders`.
  finished.catch(() => undefined);
  const report: LoadReport = {
    orders,
    carts,
    get refusedCount() {
      return refusedCount;
    },
  };
  return {
    report,
    waitForOrders: (count) => {
      const reached = new Promise<void>((resolve) => {
        waiters.push({ at: orders.size + count, resolve });
      });
      return Promise.race([reached, finished.then(() => undefined)]);
    },
    stop: async () => {
      isStopping = true;
      await finished;
      return report;
    },
    repeatAll: () => keyed.repeatAll(new URL(baseUrl).origin, credentials),
  };
}

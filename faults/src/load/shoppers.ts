import { ForbiddenError, Keyfront } from '@keyfront/sdk';
import type { Random } from '../random.ts';
import type { TrialStore } from './trial-store.ts';

/** The credentials of a holder. */
export interface HolderCredentials {
  readonly apiKey: string;
  readonly secretKey: string;
}

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
}

const shopperCount = 8;
const maxQuantity = 3;
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
  const keyfront = new Keyfront({ baseUrl, apiKey, secretKey, timeoutMs, backoff, ...neverGiveUp });
  const orders = new Map<string, string>();
  const carts = new Map<string, Map<string, number>>();
  let refusedCount = 0;
  let isStopping = false;
  let waiters: { readonly at: number; readonly resolve: () => void }[] = [];

  const order = async (clientId: string): Promise<boolean> => {
    const cart = carts.get(clientId) ?? new Map<string, number>();
    carts.set(clientId, cart);
    const cartItems = [{ strainId: random.pick(store.strains).id, quantity: 1 + random.below(maxQuantity) }];
    await keyfront.carts.add({ clientId, cartItems });
    for (const { strainId, quantity } of cartItems) cart.set(strainId, (cart.get(strainId) ?? 0) + quantity);
    try {
      const { id } = await keyfront.orders.create({ clientId });
      orders.set(id, clientId);
      cart.clear();
    } catch (error) {
      if (!(error instanceof ForbiddenError)) throw error;
      refusedCount += 1;
      return false;
    }
    for (const { resolve } of waiters.filter(({ at }) => orders.size >= at)) resolve();
    waiters = waiters.filter(({ at }) => orders.size < at);
    return true;
  };

  const shop = async (clientIds: readonly string[]): Promise<void> => {
    // A client whose order was refused is left alone: the cart stays as it is, which the recount checks.
    let remaining = [...clientIds];
    while (!isStopping && remaining.length > 0) {
      const clientId = random.pick(remaining);
      if (!(await order(clientId))) remaining = remaining.filter((id) => id !== clientId);
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
  };
}

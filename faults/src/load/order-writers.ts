import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AdminOrderChange,
  ConflictError,
  ConnectionError,
  Keyfront,
  type OrderHistoryEntry,
  RateLimitError,
  ServerError,
  type WalletSignIn,
} from '@keyfront/sdk';
import type { Random } from '../random.ts';
import type { HolderCredentials } from './holders.ts';
import { KeyedRequests } from './keyed-requests.ts';
import type { TrialStore } from './trial-store.ts';

/** What writers know for certain: the service has acknowledged it, or has shown it to them afterwards. */
export interface WriterReport {
  /** The orders that exist, with the time before their request was sent. */
  readonly orders: ReadonlyMap<string, number>;
  /** The states that orders were acknowledged to have entered. */
  readonly changes: readonly AcknowledgedChange[];
  /** The requests without a response. */
  readonly unknownCount: number;
}

export interface AcknowledgedChange {
  readonly orderId: string;
  readonly change: AdminOrderChange;
}

export interface OrderWriters {
  /** Waits until this many more changes have been acknowledged. */
  waitForChanges(count: number): Promise<void>;
  /** Lets each writer finish its order. Throws if one of them has failed. Both instances must be running. */
  stop(): Promise<WriterReport>;
  /** Repeats every order that was acknowledged. Returns a sentence for each that did not get its first response again. */
  repeatAll(): Promise<string[]>;
}

export interface WriterParts {
  readonly origins: readonly string[];
  readonly holder: HolderCredentials;
  readonly admin: WalletSignIn;
  readonly store: TrialStore;
  readonly random: Random;
}

/** The clients of one instance. */
interface Accounts {
  readonly keyfront: Keyfront;
  readonly administrator: Keyfront;
}

const writerCount = 8;
/** A writer that cannot reach its instance waits for this time. */
const pauseMs = 50;
const timeoutMs = 15_000;

/** What may become of an order. Each step is one request of an administrator, and some are two changes at once. */
const lives: readonly (readonly AdminOrderChange[])[] = [
  [],
  [{ adminApproval: 'VERIFIED' }],
  [{ adminApproval: 'REJECTED' }],
  [{ orderStatus: 'CANCELLED' }],
  [{ adminApproval: 'VERIFIED', paymentStatus: 'PROCESSING' }, { paymentStatus: 'PAID' }],
  [
    { adminApproval: 'VERIFIED', orderStatus: 'PROCESSING' },
    { orderStatus: 'SHIPPED' },
    { orderStatus: 'DELIVERED' },
  ],
];

/**
 * Starts writers who place orders and change them until they are stopped. A request is sent once, so that a killed
 * process leaves its outcome unknown. The writer then asks the service what became of it, or leaves that to the end of
 * the trial.
 */
export async function startOrderWriters({
  origins,
  holder,
  admin,
  store,
  random,
}: WriterParts): Promise<OrderWriters> {
  const { apiKey, secretKey } = holder;
  const keyed = new KeyedRequests();
  const accounts = await Promise.all(
    origins.map(async (origin) => {
      const once = { baseUrl: `${origin}/api/v1`, timeoutMs, maxAttempts: 1 };
      const keyfront = new Keyfront({ ...once, apiKey, secretKey, signatures: 'simple', fetch: keyed.fetch });
      return { keyfront, administrator: await new Keyfront(once).signIn(admin) };
    }),
  );
  const orders = new Map<string, number>();
  const changes: AcknowledgedChange[] = [];
  let unknownCount = 0;
  let isStopping = false;
  let acknowledgedCount = 0;
  let waiters: { readonly at: number; readonly resolve: () => void }[] = [];
  const acknowledge = () => {
    acknowledgedCount += 1;
    for (const { resolve } of waiters.filter(({ at }) => acknowledgedCount >= at)) resolve();
    waiters = waiters.filter(({ at }) => acknowledgedCount < at);
  };

  const write = async ({ keyfront, administrator }: Accounts): Promise<void> => {
    /** Returns null if nobody knows what became of the request. */
    const attempt = async <Result>(request: () => Promise<Result>): Promise<Result | null> => {
      try {
        const result = await request();
        acknowledge();
        return result;
      } catch (error) {
        if (!isOutage(error)) throw error;
        unknownCount += 1;
        await delay(pauseMs);
        return null;
      }
    };
    /** Asks until there is a response. */
    const ask = async <Result>(question: () => Promise<Result>): Promise<Result> => {
      for (;;) {
        try {
          return await question();
        } catch (error) {
          // A conflict: the first request is still being processed.
          if (!isOutage(error) && !(error instanceof ConflictError)) throw error;
          await delay(pauseMs);
        }
      }
    };
    while (!isStopping) {
      const startedAt = performance.now();
      const clientId = random.pick(store.clientIds);
      const items = [{ strainId: random.pick(store.strains.slice(0, -1)).id, quantity: 1 }];
      const idempotencyKey = randomUUID();
      const place = () => keyfront.orders.create({ clientId, items }, { idempotencyKey });
      const placed = await attempt(place);
      // Half of the writers ask by repeating the request. The others leave its order to whoever finds it.
      const order = placed ?? (random.below(2) === 0 ? await ask(place) : null);
      if (!order) continue;
      orders.set(order.id, startedAt);
      for (const change of random.pick(lives)) {
        const update = () => administrator.admin.orders.update(order.id, change);
        const isDone =
          (await attempt(update)) !== null ||
          isReached(await ask(() => keyfront.orders.get(order.id)), change);
        if (!isDone) break;
        changes.push({ orderId: order.id, change });
      }
    }
  };
  const finished = Promise.all(
    Array.from({ length: writerCount }, (_, writer) => write(accounts[writer % accounts.length] as Accounts)),
  );
  // Reported by `stop` and `waitForChanges`.
  finished.catch(() => undefined);
  return {
    waitForChanges: (count) => {
      const reached = new Promise<void>((resolve) => {
        waiters.push({ at: acknowledgedCount + count, resolve });
      });
      return Promise.race([reached, finished.then(() => undefined)]);
    },
    stop: async () => {
      isStopping = true;
      await finished;
      return { orders, changes, unknownCount };
    },
    repeatAll: () => keyed.repeatAll(origins[0] ?? '', holder),
  };
}

/** Whether an order or one of its states has what the change asks for. */
export function isReached(
  state: Pick<OrderHistoryEntry, keyof AdminOrderChange>,
  change: AdminOrderChange,
): boolean {
  return Object.entries(change).every(([field, value]) => state[field as keyof AdminOrderChange] === value);
}

/** Whether the outcome of a request is unknown. */
function isOutage(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof ServerError || error instanceof RateLimitError;
}

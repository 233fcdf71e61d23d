import type { SandboxReset, SandboxResetResult } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { type HolderScope, systemScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { validationFailed } from '../../lib/errors/api-error.ts';
import type { InTurn } from '../../pipeline/handlers/call.ts';
import { returnStock } from '../orders/order-rules.ts';
import { deleteUnownedDeliveryBatch } from '../webhooks/delivery/delivery-rules.ts';
import { deleteWebhook, getWebhookList } from '../webhooks/webhook-rules.ts';
import {
  deleteClients,
  deleteEventBatch,
  deleteOrders,
  type FoundOrder,
  lockClientBatch,
  lockOrderBatch,
  restartOwnSale,
  takeResetTurn,
} from './reset-queries.ts';

/** A transaction deletes so many orders or clients. They lock the stock of their strains for a few milliseconds. */
const batchSize = 100;
const eventBatchSize = 1_000;

/** Shorter than a transaction may wait for its next statement. */
const stayMs = 10_000;

/**
 * Lets the resets of a digital key wait for each other: each counts what it has deleted itself. A process runs one reset at a time, so that
 * resets never take all connections for their turns and have none left for their work.
 */
export function createResetTurns(database: Database): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (scope, work) => {
    // The handler refuses everybody else.
    if (scope.role !== 'holder') return work();
    const turn = last.then(() =>
      database.transaction(systemScope, async (tx) => {
        await takeResetTurn(tx, scope);
        const staying = setInterval(() => takeResetTurn(tx, scope).catch(() => undefined), stayMs);
        return work().finally(() => clearInterval(staying));
      }),
    );
    last = turn.catch(() => undefined);
    return turn;
  };
}

/**
 * Deletes what a storefront has made of the digital key, in short transactions, so that nobody waits for it. What is added meanwhile is
 * deleted too, or stays as a whole. A reset that ends early is continued by the next one.
 */
export async function resetDigitalKey(
  database: Database,
  scope: HolderScope,
  { tokenId }: SandboxReset,
): Promise<SandboxResetResult> {
  if (tokenId !== scope.tokenId) {
    throw validationFailed([`tokenId must be ${scope.tokenId}, the digital key that the request acts for`]);
  }
  // First, so that nobody is told of what follows.
  const webhooks = await removeWebhooks(database, scope);
  const orders = await repeat(batchSize, () =>
    database.transaction(systemScope, async (tx) =>
      removeOrders(tx, scope, await lockOrderBatch(tx, scope, batchSize)),
    ),
  );
  let lateOrders = 0;
  const clients = await repeat(batchSize, () =>
    database.transaction(systemScope, async (tx) => {
      const found = await lockClientBatch(tx, scope, batchSize);
      lateOrders += removeOrders(tx, scope, found.orders);
      if (found.clientIds.length > 0) deleteClients(tx, scope, found.clientIds);
      return found.clientIds.length;
    }),
  );
  await database.transaction(systemScope, (tx) => restartOwnSale(tx, scope));
  // Last, because of what was added meanwhile.
  const events = await repeat(
    eventBatchSize,
    async () => (await deleteEventBatch(database, scope, eventBatchSize)).count,
  );
  return { tokenId, clients, orders: orders + lateOrders, events, webhooks };
}

/** Repeats a batch until it has found less than it looks for. Returns the sum. */
async function repeat(size: number, runBatch: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (;;) {
    const count = await runBatch();
    sum += count;
    if (count < size) return sum;
  }
}

/** Returns how many. */
function removeOrders(tx: RunInTransaction, scope: HolderScope, orders: readonly FoundOrder[]): number {
  if (orders.length === 0) return 0;
  const sold = orders.filter(({ isReturned }) => !isReturned).map(({ id }) => id);
  // Before the lines are gone.
  if (sold.length > 0) returnStock(tx, sold);
  deleteOrders(
    tx,
    scope,
    orders.map(({ id }) => id),
  );
  return orders.length;
}

async function removeWebhooks(database: Database, scope: HolderScope): Promise<number> {
  const { webhooks } = await getWebhookList(database, scope);
  for (const { id } of webhooks) {
    await deleteWebhook(database, scope, id);
    while ((await deleteUnownedDeliveryBatch(database, id)).count > 0);
  }
  return webhooks.length;
}

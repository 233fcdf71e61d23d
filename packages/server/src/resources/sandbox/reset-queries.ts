import { statement } from '@keyfront/postgres';
import { query } from '../../database/queries/query.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

// Holders may not delete these rows, so all of this runs in the scope of the system. Every statement names the digital key.

export interface FoundOrder {
  readonly id: string;
  /** Whether its stock came back before. */
  readonly isReturned: boolean;
}

const takeTurn = statement(
  'reset.take-turn',
  `SELECT pg_advisory_xact_lock(hashtextextended('keyfront reset ' || $1, 0))`,
);

/** Waits for another reset of the digital key to end, and keeps others waiting until the transaction ends. */
export async function takeResetTurn(tx: RunInTransaction, { tokenId }: HolderScope): Promise<void> {
  await tx(takeTurn, [tokenId]);
}

const columns = `id, stock_returned_at IS NOT NULL AS "isReturned"`;
// Each batch is locked by a statement of its own. Whoever adds something to a locked order or client waits, and the next statement sees
// everything that was added before.
const lockOrders = statement<FoundOrder>(
  'reset.lock-orders',
  `SELECT ${columns} FROM orders WHERE token_id = $1 ORDER BY id LIMIT $2 FOR UPDATE`,
);
const lockOrdersOf = statement<FoundOrder>(
  'reset.lock-orders-of-clients',
  `SELECT ${columns} FROM orders WHERE token_id = $1 AND client_id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`,
);
const lockClients = statement<{ id: string }>(
  'reset.lock-clients',
  'SELECT id FROM clients WHERE token_id = $1 ORDER BY id LIMIT $2 FOR UPDATE',
);

/** Locks some orders of the digital key until the transaction ends. */
export async function lockOrderBatch(
  tx: RunInTransaction,
  { tokenId }: HolderScope,
  limit: number,
): Promise<FoundOrder[]> {
  return tx(lockOrders, [tokenId, limit]);
}

/** The same with clients, and the orders that they have placed meanwhile. */
export async function lockClientBatch(
  tx: RunInTransaction,
  { tokenId }: HolderScope,
  limit: number,
): Promise<{ readonly clientIds: string[]; readonly orders: FoundOrder[] }> {
  const clients = await tx(lockClients, [tokenId, limit]);
  const clientIds = clients.map(({ id }) => id);
  const orders = clientIds.length > 0 ? await tx(lockOrdersOf, [tokenId, clientIds]) : [];
  return { clientIds, orders };
}

const ofOrders = 'token_id = $1 AND order_id = ANY ($2::uuid[])';
const ofClients = 'token_id = $1 AND client_id = ANY ($2::uuid[])';
const forget = 'DELETE FROM idempotency_keys WHERE subject_id = ANY ($2::uuid[])';

// Foreign keys are checked when a statement ends.
const removeOrders = statement(
  'reset.delete-orders',
  `WITH lines AS (DELETE FROM order_lines WHERE ${ofOrders}),
     history AS (DELETE FROM order_history WHERE ${ofOrders}),
     parcels AS (DELETE FROM shipments WHERE ${ofOrders}),
     checkouts AS (DELETE FROM payment_checkouts WHERE ${ofOrders}),
     refunded AS (DELETE FROM refunds WHERE ${ofOrders}),
     sale AS (DELETE FROM sales WHERE ${ofOrders} RETURNING id),
     stages AS (DELETE FROM sale_history WHERE sale_id IN (SELECT id FROM sale)),
     responses AS (${forget})
   DELETE FROM orders WHERE token_id = $1 AND id = ANY ($2::uuid[])`,
  { indexScansOnly: true },
);
const removeClients = statement(
  'reset.delete-clients',
  `WITH cart AS (DELETE FROM carts WHERE ${ofClients} RETURNING id),
     items AS (DELETE FROM cart_items WHERE cart_id IN (SELECT id FROM cart)),
     records AS (DELETE FROM medical_records WHERE ${ofClients}),
     sale AS (DELETE FROM sales WHERE ${ofClients} RETURNING id),
     stages AS (DELETE FROM sale_history WHERE sale_id IN (SELECT id FROM sale)),
     responses AS (${forget})
   DELETE FROM clients WHERE token_id = $1 AND id = ANY ($2::uuid[])`,
  { indexScansOnly: true },
);

/** Queues for the commit: deletes locked orders with everything that belongs to them. */
export function deleteOrders(tx: RunInTransaction, { tokenId }: HolderScope, orderIds: string[]): void {
  tx.atCommit(removeOrders, [tokenId, orderIds]);
}

/** Queues for the commit: deletes locked clients with everything that belongs to them but orders. */
export function deleteClients(tx: RunInTransaction, { tokenId }: HolderScope, clientIds: string[]): void {
  tx.atCommit(removeClients, [tokenId, clientIds]);
}

const removeOwnSale = statement(
  'reset.delete-own-sale',
  `WITH sale AS (DELETE FROM sales WHERE token_id = $1 AND client_id IS NULL RETURNING id)
   DELETE FROM sale_history WHERE sale_id IN (SELECT id FROM sale)`,
);
const openOwnSale = statement('reset.open-own-sale', 'INSERT INTO sales (token_id) VALUES ($1)');
const removeResponses = statement(
  'reset.delete-responses',
  `DELETE FROM idempotency_keys WHERE token_id = $1
     AND credential = ANY (ARRAY(SELECT id::text FROM api_keys WHERE token_id = $1 AND holder_id = $2) || $3::text)`,
  { indexScansOnly: true },
);

/** Lets the own sale of the digital key begin again, and forgets the responses to its API keys and to its wallet. */
export async function restartOwnSale(
  tx: RunInTransaction,
  { tokenId, holderId, walletAddress }: HolderScope,
): Promise<void> {
  await Promise.all([
    tx(removeOwnSale, [tokenId]),
    tx(openOwnSale, [tokenId]),
    tx(removeResponses, [tokenId, holderId, walletAddress]),
  ]);
}

/** Deletes some events that the holder can read for the digital key. Events of an earlier holder stay theirs. */
export const deleteEventBatch = query<{ count: number }>(
  'reset.delete-events',
  `WITH deleted AS (
     DELETE FROM events USING (
       SELECT transaction_number, sequence_number FROM events
       WHERE token_id = $1 AND (holder_id IS NULL OR holder_id = $2) LIMIT $3
     ) AS found
     WHERE events.transaction_number = found.transaction_number AND events.sequence_number = found.sequence_number
     RETURNING 1
   )
   SELECT count(*) FROM deleted`,
).getAsSystem(({ tokenId, holderId }: HolderScope, limit: number) => [tokenId, holderId, limit]);

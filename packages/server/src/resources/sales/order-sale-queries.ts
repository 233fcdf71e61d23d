import type { HolderScope } from '../../database/scope.ts';
import { statement } from '../../database/statement.ts';
import type { RunInTransaction } from '../../database/transaction.ts';

const advance = statement(
  'sales.advance',
  `WITH lead AS (
     SELECT id FROM sales
     WHERE token_id = $1 AND client_id = $2 AND stage = 'LEADS' AND order_id IS NULL
     ORDER BY created_at, id LIMIT 1 FOR NO KEY UPDATE
   ), advanced AS (
     UPDATE sales SET stage = 'ONGOING', order_id = $3 FROM lead WHERE sales.id = lead.id RETURNING sales.id
   )
   INSERT INTO sales (token_id, client_id, order_id, stage)
   SELECT $1, $2, $3, 'ONGOING' WHERE NOT EXISTS (SELECT FROM advanced)`,
);

/** Queues for the commit: makes the oldest lead of the client an ongoing sale of the order, or inserts a new sale. */
export function advanceSale(
  run: RunInTransaction,
  scope: HolderScope,
  { clientId, orderId }: { readonly clientId: string; readonly orderId: string },
): void {
  run.atCommit(advance, [scope.tokenId, clientId, orderId]);
}

const close = statement(
  'sales.close',
  `UPDATE sales SET stage = 'CLOSED' WHERE order_id = $1 AND stage <> 'CLOSED'`,
);

/** Queues for the commit: closes the sale of an order. */
export function closeSale(run: RunInTransaction, orderId: string): void {
  run.atCommit(close, [orderId]);
}

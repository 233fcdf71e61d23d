import { statement } from '../../database/statements/statement.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

const close = statement(
  'sales.close',
  `UPDATE sales SET stage = 'CLOSED' WHERE order_id = $1 AND stage <> 'CLOSED'`,
);

/** Queues for the commit: closes the sale of an order. */
export function closeSale(tx: RunInTransaction, orderId: string): void {
  tx.atCommit(close, [orderId]);
}

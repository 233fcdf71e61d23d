import { query } from '../../database/queries/query.ts';

/** Queues for the commit: closes the sale of an order. */
export const closeSale = query(
  'sales.close',
  `UPDATE sales SET stage = 'CLOSED' WHERE order_id = $1 AND stage <> 'CLOSED'`,
).atCommit((orderId: string) => [orderId]);

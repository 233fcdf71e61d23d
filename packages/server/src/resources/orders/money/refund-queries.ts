import type { Refund } from '@keyfront/protocol';
import { jsonTime } from '../../../database/queries/json-time.ts';
import { query } from '../../../database/queries/query.ts';
import { formatCents } from '../../../lib/amounts.ts';
import type { LockedOrder } from '../order-record.ts';
import { type StoredQuantity, toQuantities } from '../to-lines.ts';

export type RefundRecord = Omit<Refund, 'orderId' | 'orderLines'> & {
  readonly lines: readonly StoredQuantity[];
};

/** Composes the list of the refunds of an order, oldest first. */
export const refundsOfOrder = `coalesce((
  SELECT json_agg(json_build_object('id', id, 'amount', amount, 'currency', orders.currency, 'reason', reason, 'lines', lines,
    'isRestocked', is_restocked, 'createdAt', ${jsonTime('created_at')}) ORDER BY id)
  FROM refunds WHERE order_id = orders.id
), '[]')`;

export function toRefund({ lines, ...refund }: RefundRecord, orderId: string): Refund {
  return { ...refund, orderId, orderLines: toQuantities(orderId, lines) };
}

export interface RefundInput {
  readonly amountCents: bigint;
  readonly reason: string;
  readonly lines?: readonly StoredQuantity[];
  readonly isRestocked?: boolean;
}

/** Inserts a refund, and counts its units in the lines of the order. */
export const insertRefund = query<RefundRecord>(
  'refunds.insert',
  `WITH refunded AS (
     UPDATE order_lines SET refunded_quantity = refunded_quantity + units.quantity,
       restocked_quantity = restocked_quantity + CASE WHEN $6 THEN units.quantity ELSE 0 END
     FROM jsonb_to_recordset($5::jsonb) AS units (number smallint, quantity integer)
     WHERE order_id = $1 AND line_number = units.number
   )
   INSERT INTO refunds (order_id, token_id, amount, reason, lines, is_restocked) VALUES ($1, $2, $3, $4, $5, $6)
   RETURNING id, amount, $7::text AS currency, reason, lines, is_restocked AS "isRestocked", created_at AS "createdAt"`,
).get(
  (
    { id, tokenId, currency }: LockedOrder,
    { amountCents, reason, lines = [], isRestocked = false }: RefundInput,
  ) => [id, tokenId, formatCents(amountCents), reason, JSON.stringify(lines), isRestocked, currency],
);

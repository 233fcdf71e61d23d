import type { CheckoutStatus } from '@keyfront/protocol';
import { query } from '../../database/queries/query.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';

/** Finds the reference of the identity check of a client in the scope. Null for a client that is not there or archived. */
export const findKycReference = query<{ reference: string }>(
  'sandbox.find-kyc-reference',
  'SELECT kyc_reference AS reference FROM clients WHERE id = $1 AND token_id = $2 AND archived_at IS NULL',
).findInScope((scope: HolderScope, clientId: string) => [clientId, scope.tokenId]);

export interface SandboxPayment {
  readonly amount: number;
  readonly currency: string;
  /** Those of the latest checkout at the provider. Null if there is none. */
  readonly reference: string | null;
  readonly status: CheckoutStatus | null;
}

/** Finds an order in the scope with its latest checkout. */
export const findSandboxPayment = query<SandboxPayment>(
  'sandbox.find-payment',
  `SELECT total_amount AS amount, currency, latest.reference, latest.status
   FROM orders LEFT JOIN LATERAL (
     SELECT reference, status FROM payment_checkouts WHERE order_id = orders.id AND reference IS NOT NULL ORDER BY id DESC LIMIT 1
   ) AS latest ON true
   WHERE orders.id = $1 AND orders.token_id = $2`,
).findInScope((scope: HolderScope, orderId: string) => [orderId, scope.tokenId]);

/** Says in the transaction of an administrator whether an order belongs to a digital key. Null for an order that is not there. */
export const findOrderOwnership = query<{ isOwn: boolean }>(
  'sandbox.find-order-ownership',
  'SELECT token_id = $2 AS "isOwn" FROM orders WHERE id = $1',
).find((orderId: string, tokenId: number) => [orderId, tokenId]);

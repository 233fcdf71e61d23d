import type { CreatedOrder, NewOrder } from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import type { HolderScope } from '../../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import {
  type CheckoutSettings,
  openDirectCheckout,
  requirePaymentProvider,
} from '../../payments/payment-rules.ts';
import { prepareOrder } from './prepare-order.ts';

/** Places an order. With direct payment, its checkout at the payment provider is opened in the same transaction. */
export async function placeOrder(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  request: NewOrder,
  payments: CheckoutSettings,
): Promise<CreatedOrder> {
  if (request.paymentFlow !== 'DIRECT') return prepareOrder(tx, database, scope, request);
  requirePaymentProvider(payments);
  const order = await prepareOrder(tx, database, scope, request);
  const payUrl = openDirectCheckout(tx, scope, order, payments);
  return payUrl === null ? order : { ...order, payUrl };
}

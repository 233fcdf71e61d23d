import { randomUUID } from 'node:crypto';
import type { Checkout, CheckoutStatus, NewCheckout, OpenCheckout, OrderWithLines } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError } from '../../lib/errors/api-error.ts';
import { throwOrderNotInScope } from '../orders/order-rules.ts';
import { checkReturnUrl, type LinkSettings } from '../providers/return-url.ts';
import { explainTransition, paymentTransitions } from '../states/transitions.ts';
import {
  type CheckoutRecord,
  findOrderCheckout,
  insertCheckout,
  lockOrderCheckout,
  type PayableOrder,
  restartPayment,
  updateCheckout,
} from './payment-queries.ts';

export { notePayment, refundPayments } from './payment-queries.ts';

const validityMs = 30 * 60_000;

/** Opens a checkout for an order, or returns the one that is valid. */
export async function openPayment(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  { orderId, returnUrl }: NewCheckout,
  settings: LinkSettings,
): Promise<OpenCheckout> {
  if (returnUrl !== undefined) checkReturnUrl(returnUrl, settings);
  const found = await lockOrderCheckout(tx, scope, orderId);
  const { order, checkout } = found ?? (await throwOrderNotInScope(database, orderId));
  requirePaymentProvider(settings);
  requirePayable(order);
  const isLive = checkout !== null && checkout.status === 'PENDING' && checkout.expiresAt > order.now;
  const isFailed = order.paymentStatus === 'FAILED';
  if (isLive && !isFailed && (returnUrl === undefined || returnUrl === checkout.returnUrl)) {
    return toOpenCheckout(order, checkout, settings);
  }
  if (checkout?.status === 'PENDING') updateCheckout(tx, checkout.id, isLive ? 'CANCELLED' : 'EXPIRED');
  // An administrator has ended a payment that the provider was processing.
  if (checkout?.status === 'PROCESSING') updateCheckout(tx, checkout.id, 'FAILED');
  if (isFailed) restartPayment(tx, scope, orderId);
  const opened = addCheckout(tx, scope, orderId, order.now, returnUrl ?? checkout?.returnUrl ?? null);
  return toOpenCheckout({ ...order, paymentStatus: 'PENDING' }, opened, settings);
}

/** Gets the state of the payment of an order, or throws the 404 or 403. */
export async function getCheckout(
  database: Database,
  scope: HolderScope,
  orderId: string,
  settings: LinkSettings,
): Promise<Checkout> {
  const found = await findOrderCheckout(database.within(scope), scope, orderId);
  const { order, checkout } = found ?? (await throwOrderNotInScope(database, orderId));
  return toCheckout(order, checkout, settings);
}

/** Makes the link of a checkout invalid. Does nothing if there is no valid one. */
export async function cancelCheckout(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  orderId: string,
  settings: LinkSettings,
): Promise<Checkout> {
  const found = await lockOrderCheckout(tx, scope, orderId);
  const { order, checkout } = found ?? (await throwOrderNotInScope(database, orderId));
  if (order.paymentStatus === 'PROCESSING' || order.paymentStatus === 'PAID') {
    throw new ApiError('CHECKOUT_REFUSED', {
      message: `A payment that is ${order.paymentStatus} cannot be cancelled`,
    });
  }
  if (checkout?.status !== 'PENDING') return toCheckout(order, checkout, settings);
  updateCheckout(tx, checkout.id, 'CANCELLED');
  return toCheckout(order, { ...checkout, status: 'CANCELLED' }, settings);
}

/** Opens the checkout of an order that is being placed in the same transaction. Returns its link. */
export function openDirectCheckout(
  tx: RunInTransaction,
  scope: HolderScope,
  { id, createdAt, ...order }: OrderWithLines,
  returnUrl: string | null,
  settings: LinkSettings,
): string {
  const opened = addCheckout(tx, scope, id, createdAt, returnUrl);
  return toOpenCheckout({ ...order, id, now: createdAt }, opened, settings).payUrl;
}

/** Queues a new checkout for the commit. */
function addCheckout(
  tx: RunInTransaction,
  scope: HolderScope,
  orderId: string,
  now: string,
  returnUrl: string | null,
): Omit<CheckoutRecord, 'id'> {
  const expiresAt = new Date(Date.parse(now) + validityMs).toISOString();
  const row = { reference: randomUUID(), orderId, returnUrl, expiresAt };
  insertCheckout(tx, scope, row);
  return { ...row, status: 'PENDING' };
}

/** Throws the 403 if the operator has set up no payment provider. */
export function requirePaymentProvider({ links }: LinkSettings): void {
  if (links.isConfigured) return;
  throw new ApiError('PROVIDER_NOT_CONFIGURED', {
    message: 'The operator of this service has set up no payment provider',
  });
}

function requirePayable({ orderStatus, paymentStatus }: PayableOrder): void {
  if (orderStatus === 'CANCELLED') {
    throw new ApiError('CHECKOUT_REFUSED', { message: 'A cancelled order is not paid for any more' });
  }
  if (explainTransition('A payment', paymentTransitions.HOLDER, paymentStatus, 'PENDING') !== null) {
    throw new ApiError('CHECKOUT_REFUSED', { message: `The payment of this order is ${paymentStatus}` });
  }
}

/** A checkout that a customer can use at this moment. */
function toOpenCheckout(
  order: PayableOrder,
  checkout: Omit<CheckoutRecord, 'id'>,
  settings: LinkSettings,
): OpenCheckout {
  const opened = toCheckout(order, checkout, settings);
  const { payUrl, expiresAt } = opened;
  if (payUrl === null || expiresAt === null) throw new Error('A checkout was opened without a link');
  return { ...opened, payUrl, expiresAt };
}

function toCheckout(
  order: PayableOrder,
  checkout: Omit<CheckoutRecord, 'id'> | null,
  { links }: LinkSettings,
): Checkout {
  const status = describeStatus(order, checkout);
  const isPayable = checkout !== null && checkout.status === 'PENDING' && status === 'PENDING';
  const { id: orderId, totalAmount: amount, currency, invoiceNumber } = order;
  const returnUrl = checkout?.returnUrl ?? null;
  const values = { amount: amount.toFixed(2), currency, invoiceNumber, returnUrl: returnUrl ?? '' };
  return {
    orderId,
    status,
    state: status.toLowerCase() as Checkout['state'],
    paymentStatus: order.paymentStatus,
    cancelled: status === 'CANCELLED',
    payUrl: isPayable ? links.link(checkout.reference, values) : null,
    expiresAt: isPayable ? checkout.expiresAt : null,
    amount,
    currency,
    returnUrl,
  };
}

/** The state of the payment, or that of the link while the payment has not begun. */
function describeStatus(
  { orderStatus, paymentStatus, now }: PayableOrder,
  checkout: Omit<CheckoutRecord, 'id'> | null,
): CheckoutStatus {
  if (paymentStatus !== 'PENDING' || checkout === null) return paymentStatus;
  if (orderStatus === 'CANCELLED') return 'CANCELLED';
  if (checkout.status === 'PENDING') return checkout.expiresAt > now ? 'PENDING' : 'EXPIRED';
  return checkout.status === 'CANCELLED' || checkout.status === 'EXPIRED' ? checkout.status : paymentStatus;
}

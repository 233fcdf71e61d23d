import type { NewRefund, Refund } from '@keyfront/protocol';
import type { AdministratorScope } from '../../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import { toAmount, toCents } from '../../../lib/amounts.ts';
import { ApiError, notFound, validationFailed } from '../../../lib/errors/api-error.ts';
import { auditChange } from '../../audit/audit-rules.ts';
import type { LockedOrder } from '../order-record.ts';
import { lockOrderWithLines, returnUnits } from '../state/order-state-queries.ts';
import { describeUnits, isAnySent, type LockedLine, readQuantities, unsentOf } from '../to-lines.ts';
import { leftOf, recordRefund, requireLeft } from './record-money.ts';
import { toRefund } from './refund-queries.ts';

/** Refunds an amount, the price of lines, or everything that is left, with an audit row. Units come back to the stock on request. */
export async function refundOrder(
  tx: RunInTransaction,
  scope: AdministratorScope,
  orderId: string,
  { amount, orderLines, reason, restock = false }: NewRefund,
): Promise<Refund> {
  if (amount !== undefined && orderLines)
    throw validationFailed(['amount must not be given with orderLines']);
  if (amount !== undefined && restock) throw validationFailed(['restock must not be given with amount']);
  const locked = await lockOrderWithLines(tx, orderId);
  if (!locked) throw notFound('Order');
  const { order, lines } = locked;
  if (order.paymentStatus !== 'PAID') {
    throw new ApiError('REFUND_REFUSED', { message: `The payment of this order is ${order.paymentStatus}` });
  }
  if (restock && order.stockReturnedAt !== null) {
    throw new ApiError('REFUND_REFUSED', { message: 'The stock of this order is returned already' });
  }
  const units = findUnits(order.id, lines, amount, orderLines);
  const amountCents = findAmount(order, amount, orderLines && units);
  const orderStatus = isSentWithout(order, lines, units) ? 'SHIPPED' : order.orderStatus;
  const returnedAmount = toAmount(toCents(order.returnedAmount) + priceOf(units));
  const { refund, ...after } = await recordRefund(
    tx,
    { ...order, orderStatus, returnedAmount },
    {
      amountCents,
      reason,
      lines: units.map(([{ number }, quantity]) => ({ number, quantity })),
      isRestocked: restock,
    },
  );
  if (restock) returnUnits(tx, order.id, refund.lines);
  auditChange(tx, scope, 'ORDER', order.id, {
    before: { ...order },
    after: { ...after, orderStatus, refundId: refund.id, reason },
  });
  return toRefund(refund, order.id);
}

/** Whether parcels were sent, and nothing is left to send without these units. */
function isSentWithout(order: LockedOrder, lines: readonly LockedLine[], units: Units): boolean {
  if (order.orderStatus !== 'PROCESSING' || !isAnySent(lines)) return false;
  const refunded = new Map(units);
  return lines.every((line) => unsentOf(line) <= (refunded.get(line) ?? 0));
}

type Units = readonly (readonly [LockedLine, number])[];

/** What units cost, in cents. */
function priceOf(units: Units): bigint {
  return units.reduce((sum, [{ unitPrice }, quantity]) => sum + toCents(unitPrice) * BigInt(quantity), 0n);
}

/** The units that a refund is about. A refund of an amount is about none, and one of everything about all that are left. */
function findUnits(
  orderId: string,
  lines: readonly LockedLine[],
  amount: NewRefund['amount'],
  orderLines: NewRefund['orderLines'],
): Units {
  if (amount !== undefined) return [];
  if (!orderLines) {
    return lines
      .map((line) => [line, line.quantity - line.refundedQuantity] as const)
      .filter(([, quantity]) => quantity > 0);
  }
  const units = [...readQuantities(orderId, lines, orderLines)];
  for (const [{ name, quantity: ordered, refundedQuantity }, quantity] of units) {
    if (quantity > ordered - refundedQuantity) {
      throw new ApiError('REFUND_TOO_LARGE', {
        message: `Of ${name}, ${describeUnits(ordered - refundedQuantity)} left to refund`,
      });
    }
  }
  return units;
}

function findAmount(order: LockedOrder, amount: NewRefund['amount'], units: Units | undefined): bigint {
  const amountCents = amount !== undefined ? toCents(amount) : units ? priceOf(units) : leftOf(order);
  requireLeft(leftOf(order), amountCents, order.currency);
  if (amount !== undefined && amountCents === 0n) throw validationFailed(['amount must be greater than 0']);
  return amountCents;
}

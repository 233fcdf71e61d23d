import type { AdminOrder, AdminOrderDetails } from '@keyfront/sdk';
import { formatMoney } from '../../../format/format-money.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-orders.ts';
import type { QueueKind } from '../queue/queue-kind.ts';
import { adminOrderQuery } from './admin-order-query.ts';
import { canDecide } from './order-moves.ts';
import { OrderPeek } from './order-peek.tsx';
import { refundableCents } from './order-rest.ts';
import { OrderSummary } from './order-summary.tsx';

/** How orders are shown and decided. */
export const orderQueue: QueueKind<AdminOrder, AdminOrderDetails> = {
  noun: 'order',
  icon: 'orders',
  labelOf: ({ invoiceNumber }) => invoiceNumber,
  pathOf: ({ id }) => `/admin/orders/${id}`,
  Summary: OrderSummary,
  details: adminOrderQuery,
  Peek: OrderPeek,
  canDecide: (order, approval) => approval !== 'PENDING' && canDecide(order, approval),
  // A rejection cancels the order, which is too late once something was sent.
  isRejectable: ({ shipments }) => shipments.length === 0,
  decide: (decisions, options) => getKeyfront().admin.orders.decide(decisions, options),
  isReversible: false,
  rejectionEffect: explainRejection,
  noteReaders: texts.holderReadsItWithOrder,
};

/** What a rejection does to the orders, and to the money that was paid for them. */
function explainRejection(orders: readonly AdminOrder[]): string {
  const paid = orders.filter((order) => refundableCents(order) > 0);
  const [first] = paid;
  if (!first) return texts.rejectedOrderIsCancelledForGood;
  const money =
    orders.length === 1
      ? texts.paidAmountBecomesRefundDue(formatMoney(refundableCents(first) / 100, first.currency))
      : texts.countArePaidAndBecomeRefundsDue(formatNumber(paid.length), formatNumber(orders.length));
  return `${texts.rejectedOrderIsCancelledForGood} ${money}`;
}

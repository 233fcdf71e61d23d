import type { DashboardSummary } from '@keyfront/sdk';
import type { IconName } from '../../components/icon.tsx';
import { texts } from '../../texts/overview.ts';

/** Something that waits for the holder. */
export interface Task {
  readonly count: number;
  readonly icon: IconName;
  /** What follows the count in a sentence. */
  readonly label: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

/** Cancelled orders by what became of their payment. */
export interface CancelledOrders {
  readonly unpaid: number;
  readonly failed: number;
}

/** What waits. The summary counts cancelled orders with the others, but nobody has to pay for them. */
export function listWaitingTasks(
  { clients, orders }: Pick<DashboardSummary, 'clients' | 'orders'>,
  cancelled: CancelledOrders,
  refundsDue: number,
): Task[] {
  const failed = orders.paymentStatus.FAILED - cancelled.failed;
  const unpaid = orders.paymentStatus.PENDING - cancelled.unpaid;
  const unverified = clients.total - clients.kycVerified;
  const isOne = (count: number) => count === 1;
  const tasks: Task[] = [
    {
      count: refundsDue,
      icon: 'refund',
      label: isOne(refundsDue) ? texts.orderWaitsForRefund : texts.ordersWaitForRefund,
      to: '/orders',
      search: { refundDue: 'true' },
    },
    {
      count: failed,
      icon: 'alert',
      label: isOne(failed) ? texts.paymentOfOpenOrderHasFailed : texts.paymentsOfOpenOrdersHaveFailed,
      to: '/orders',
      search: { paymentStatus: 'FAILED' },
    },
    {
      count: unpaid,
      icon: 'orders',
      label: isOne(unpaid) ? texts.openOrderIsNotPaid : texts.openOrdersAreNotPaid,
      to: '/orders',
      search: { paymentStatus: 'PENDING' },
    },
    {
      count: unverified,
      icon: 'clients',
      label: isOne(unverified)
        ? texts.clientHasNotProvedTheirIdentity
        : texts.clientsHaveNotProvedTheirIdentity,
      to: '/clients',
      search: { isKYCVerified: 'false' },
    },
  ];
  return tasks.filter(({ count }) => count > 0);
}

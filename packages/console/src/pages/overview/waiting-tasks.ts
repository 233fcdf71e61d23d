import type { DashboardSummary } from '@keyfront/sdk';
import type { IconName } from '../../components/icon.tsx';

/** Something that waits for the holder. */
export interface Task {
  readonly count: number;
  readonly icon: IconName;
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
): Task[] {
  const tasks: Task[] = [
    {
      count: orders.paymentStatus.FAILED - cancelled.failed,
      icon: 'alert',
      label: 'payments of open orders have failed',
      to: '/orders',
      search: { paymentStatus: 'FAILED' },
    },
    {
      count: orders.paymentStatus.PENDING - cancelled.unpaid,
      icon: 'orders',
      label: 'open orders are not paid',
      to: '/orders',
      search: { paymentStatus: 'PENDING' },
    },
    {
      count: clients.total - clients.kycVerified,
      icon: 'clients',
      label: 'clients have not proved their identity',
      to: '/clients',
      search: { isKYCVerified: 'false' },
    },
  ];
  return tasks.filter(({ count }) => count > 0);
}

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getKeyfront } from '../../session/keyfront.ts';
import { firstDayOf, type Period } from './period.ts';
import type { CancelledOrders } from './waiting-tasks.ts';

export const dashboardSummary = queryOptions({
  queryKey: ['dashboard', 'summary'],
  queryFn: ({ signal }) => getKeyfront().dashboard.summary({ signal }),
});

/** How many cancelled orders are not paid, and how many of their payments have failed. */
export const cancelledOrders = queryOptions({
  queryKey: ['dashboard', 'cancelled'],
  queryFn: async ({ signal }): Promise<CancelledOrders> => {
    const count = async (paymentStatus: 'PENDING' | 'FAILED') => {
      const query = { status: 'CANCELLED', paymentStatus, take: 1 } as const;
      return (await getKeyfront().orders.list(query, { signal })).pageMetaDto.itemCount;
    };
    const [unpaid, failed] = await Promise.all([count('PENDING'), count('FAILED')]);
    return { unpaid, failed };
  },
});

/** How many orders something is to be refunded of. */
export const refundsDue = queryOptions({
  queryKey: ['dashboard', 'refunds'],
  queryFn: async ({ signal }) =>
    (await getKeyfront().orders.list({ refundDue: 'true', take: 1 }, { signal })).pageMetaDto.itemCount,
});

/** The points of a period, and of the one before it. Revenue is in the currency of most orders, unless another one is given. */
export function dashboardAnalytics(period: Period, currency: string | undefined) {
  return queryOptions({
    queryKey: ['dashboard', 'analytics', period, currency],
    queryFn: ({ signal }) =>
      getKeyfront().dashboard.analytics(
        {
          startDate: firstDayOf(period, new Date()),
          filterBy: period,
          ...(currency ? { currency } : {}),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

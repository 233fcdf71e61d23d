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

/** The points of a period, and of the one before it. */
export function dashboardAnalytics(period: Period) {
  return queryOptions({
    queryKey: ['dashboard', 'analytics', period],
    queryFn: ({ signal }) =>
      getKeyfront().dashboard.analytics(
        { startDate: firstDayOf(period, new Date()), filterBy: period },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

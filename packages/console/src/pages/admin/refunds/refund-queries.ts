import { queryOptions } from '@tanstack/react-query';
import { getKeyfront } from '../../../session/keyfront.ts';

/** Nobody tells an administrator that a payment has arrived for a cancelled order. */
export const refundsRefreshMs = 30_000;

/** How many orders something is to be refunded of. */
export const countRefundsDue = queryOptions({
  queryKey: ['admin', 'refunds', 'count'],
  queryFn: async ({ signal }) =>
    (await getKeyfront().admin.orders.list({ refundDue: 'true', take: 1 }, { signal })).pageMetaDto.itemCount,
  refetchInterval: refundsRefreshMs,
});

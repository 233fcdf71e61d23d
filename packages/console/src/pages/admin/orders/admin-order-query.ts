import { getKeyfront } from '../../../session/keyfront.ts';

/** Everything that a decision about an order needs. */
export const adminOrderQuery = (orderId: string) => ({
  queryKey: ['admin', 'order', orderId],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    getKeyfront().admin.orders.get(orderId, { signal }),
});

import { redirectToPayment, requireOrder } from '../orders.server.ts';
import type { Route } from './+types/pay';

/** Pays an order that is not paid: later, or again after a payment that failed. */
export async function action({ request, params }: Route.ActionArgs) {
  const { id } = await requireOrder(request, params.orderId);
  return redirectToPayment(id);
}

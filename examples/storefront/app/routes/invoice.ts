import { keyfront, read } from '../keyfront.server.ts';
import { requireOrder } from '../orders.server.ts';
import type { Route } from './+types/invoice';

/** The invoice, a page to print. It comes through the shop's server, because only the shop knows whose order it is. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const { id } = await requireOrder(request, params.orderId);
  return new Response(await read(keyfront.orders.invoice(id)), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      // It has styles of its own, and no scripts.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
  });
}

import { ConflictError, ForbiddenError, type OrderItem } from '@keyfront/sdk';
import { data, redirect } from 'react-router';
import { requireClient } from './customer.server.ts';
import { isAway, keyfront, read } from './keyfront.server.ts';
import { shopUrl } from './settings.server.ts';

/** An order was placed, or a sentence tells the customer why not. */
export type Placed = { readonly orderId: string } | { readonly problem: string; readonly status: number };

/**
 * Orders a cart, once. Whoever sends the same cart again gets the order that it became: after a second click, with the
 * button "back", and when the service or the shop was restarted in the middle. The id of the cart is the idempotency key,
 * which the service keeps for a day, and the reference of the order, which no other order can have.
 */
export async function placeOrder(cartId: string, clientId: string, items: OrderItem[]): Promise<Placed> {
  try {
    const order = { clientId, items, externalReference: cartId };
    return { orderId: (await keyfront.orders.create(order, { idempotencyKey: cartId })).id };
  } catch (error) {
    if (isAway(error)) {
      const problem =
        'We cannot reach our service at the moment. Order again: if we have your order already, it stays one.';
      return { problem, status: 503 };
    }
    if (error instanceof ForbiddenError) return { problem: explainRefusal(error), status: 409 };
    const orderId = error instanceof ConflictError ? await findOrder(cartId, clientId) : null;
    if (!orderId) throw error;
    return { orderId };
  }
}

/** The order that a cart became, or null. */
export async function findOrder(cartId: string, clientId: string): Promise<string | null> {
  const { orders } = await read(keyfront.orders.list({ externalReference: cartId, clientId, take: 1 }));
  return orders[0]?.id ?? null;
}

function explainRefusal({ code, message }: ForbiddenError): string {
  switch (code) {
    case 'STOCK_TOO_LOW':
    case 'STRAIN_NOT_AVAILABLE':
      return `Somebody was faster: ${message}. Change your cart, and order again.`;
    case 'PRICE_CHANGED':
      return `A price has changed: ${message}. Below is the new total. Order again if you agree.`;
    case 'NOT_SOLD_IN_COUNTRY':
      return `${message}. Remove it from your cart.`;
    case 'CLIENT_NOT_VERIFIED':
    case 'CLIENT_NOT_APPROVED':
    case 'CLIENT_NOT_ACTIVE':
      return `You cannot order yet: ${message}. Your account shows what is missing.`;
    default:
      return `The order was refused: ${message}.`;
  }
}

/** An order of the customer who asks. That of anybody else does not exist for them. */
export async function requireOrder(request: Request, orderId: string) {
  const { client } = await requireClient(request);
  const order = await read(keyfront.orders.get(orderId));
  if (order.client.id !== client.id) throw data(null, { status: 404 });
  return order;
}

/** Sends the customer to the page of the payment provider. */
export async function redirectToPayment(orderId: string, init?: ResponseInit): Promise<Response> {
  const orderPath = `/orders/${orderId}`;
  try {
    const { payUrl } = await keyfront.payments.checkout({ orderId, returnUrl: shopUrl + orderPath });
    return redirect(payUrl, init);
  } catch (error) {
    // The order is there all the same. Its page tells what became of it, and lets the customer pay later.
    if (error instanceof ForbiddenError || isAway(error)) return redirect(orderPath, init);
    throw error;
  }
}

import { data, Form, Link, redirect, useNavigation } from 'react-router';
import { getCart, priceCart } from '../cart.server.ts';
import { Totals } from '../components/totals.tsx';
import { requireClient } from '../customer.server.ts';
import { findOrder, placeOrder, redirectToPayment } from '../orders.server.ts';
import { readForm } from '../read-body.server.ts';
import { withSession } from '../session.server.ts';
import type { Route } from './+types/checkout';

export const meta: Route.MetaFunction = () => [{ title: 'Checkout' }];

export async function loader({ request }: Route.LoaderArgs) {
  const { session, client } = await requireClient(request);
  const { address1, postalCode, city, country } = client.shipping;
  return {
    cart: await priceCart(getCart(session), client.shipping.countryCode),
    address: [`${client.firstName} ${client.lastName}`, address1, `${postalCode} ${city}`, country],
    isReady: client.isKYCVerified && client.adminApproval === 'VERIFIED',
  };
}

/** The form has the cart and the prices as the customer saw them, so that exactly this is ordered or nothing. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request);
  const { session, client } = await requireClient(request);
  const cart = getCart(session);
  const cartId = String(form.get('cartId'));
  if (cartId !== cart.id || cartId === '') {
    // The page is older than the cart: its order was placed already, or the cart was changed in another window.
    const orderId = cartId && (await findOrder(cartId, client.id));
    if (orderId) throw redirect(`/orders/${orderId}`);
    return data({ problem: 'Your cart has changed. Have a look, and order again.' }, { status: 409 });
  }
  const items = Object.entries(cart.quantities).map(([strainId, quantity]) => ({
    ...{ strainId, quantity, price: String(form.get(`price-${strainId}`)) },
  }));
  const placed = await placeOrder(cartId, client.id, items);
  if ('problem' in placed) return data({ problem: placed.problem }, { status: placed.status });
  session.unset('cart');
  return redirectToPayment(placed.orderId, await withSession(session));
}

/** Also after a refusal, which React Router takes for no change: stock and prices are others now. */
export const shouldRevalidate = () => true;

export default function Checkout({
  loaderData: { cart, address, isReady },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <>
      <h1>Checkout</h1>
      {actionData && (
        <p className="notice bad" role="alert">
          {actionData.problem}
        </p>
      )}
      {cart.lines.length === 0 ? (
        <p>
          Your cart is empty. <Link to="/orders">Your orders</Link> are all there.
        </p>
      ) : (
        <>
          <ul className="lines">
            {cart.lines.map(({ strainId, name, quantity, priceText, problem }) => (
              <li key={strainId}>
                <div className="name">
                  {quantity} × {name}
                  {problem && <p className="problem">{problem}</p>}
                </div>
                {priceText && <span>{priceText} each</span>}
              </li>
            ))}
          </ul>
          <Totals subTotal={cart.subTotal} delivery={cart.delivery} total={cart.total} />
          <h2>Ship to</h2>
          <address>
            {address.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </address>
          {!isReady && (
            <p className="notice">
              Before your first order we check who you are. <Link to="/account">Your account</Link> shows what
              is missing.
            </p>
          )}
          <Form method="post" className="row actions">
            <input type="hidden" name="cartId" value={cart.id} />
            {cart.lines.map(({ strainId, price }) => (
              <input key={strainId} type="hidden" name={`price-${strainId}`} value={price ?? ''} />
            ))}
            <Link className="button" to="/cart">
              Change the cart
            </Link>
            {isReady && cart.canOrder && (
              <button type="submit" className="primary" disabled={isBusy}>
                Order and pay {cart.total}
              </button>
            )}
          </Form>
        </>
      )}
    </>
  );
}

import { data, Form, Link, redirect } from 'react-router';
import { changeCart, getCart, maxQuantity, priceCart } from '../cart.server.ts';
import { Totals } from '../components/totals.tsx';
import { readForm } from '../read-body.server.ts';
import { getCountry, getSession, withSession } from '../session.server.ts';
import type { Route } from './+types/cart';

export const meta: Route.MetaFunction = () => [{ title: 'Cart' }];

export async function loader({ request }: Route.LoaderArgs) {
  const session = await getSession(request);
  return { cart: await priceCart(getCart(session), getCountry(session)), maxQuantity };
}

/** `add` comes from the page of a strain, `set` from the cart itself. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request);
  const session = await getSession(request);
  const strainId = String(form.get('strainId'));
  const quantity = Number(form.get('quantity'));
  const before = form.get('intent') === 'add' ? (getCart(session).quantities[strainId] ?? 0) : 0;
  const problem = changeCart(session, strainId, before + quantity);
  if (problem) return data({ problem }, { status: 400 });
  // A redirect, so that reloading the page does not add the strain again.
  return redirect('/cart', await withSession(session));
}

export default function CartPage({ loaderData, actionData }: Route.ComponentProps) {
  const { cart, maxQuantity } = loaderData;
  return (
    <>
      <h1>Cart</h1>
      {actionData?.problem && (
        <p className="notice bad" role="alert">
          {actionData.problem}
        </p>
      )}
      {cart.lines.length === 0 ? (
        <p>
          Your cart is empty. <Link to="/">Look around</Link>.
        </p>
      ) : (
        <>
          <ul className="lines">
            {cart.lines.map(({ strainId, name, picture, quantity, priceText, problem }) => (
              <li key={strainId}>
                {picture && <img src={picture} alt="" width="64" height="64" />}
                <div className="name">
                  <Link to={`/strains/${strainId}`}>{name}</Link>
                  {priceText && <span className="muted"> {priceText} each</span>}
                  {problem && <p className="problem">{problem}</p>}
                </div>
                <Form method="post" className="row">
                  <input type="hidden" name="strainId" value={strainId} />
                  <input
                    key={quantity}
                    type="number"
                    name="quantity"
                    aria-label={`Quantity of ${name}`}
                    defaultValue={quantity}
                    min={0}
                    max={maxQuantity}
                    required
                  />
                  <button type="submit">Update</button>
                </Form>
                <Form method="post">
                  <input type="hidden" name="strainId" value={strainId} />
                  <input type="hidden" name="quantity" value="0" />
                  <button type="submit" aria-label={`Remove ${name}`}>
                    Remove
                  </button>
                </Form>
              </li>
            ))}
          </ul>
          <Totals subTotal={cart.subTotal} delivery={cart.delivery} total={cart.total} />
          <p className="row actions">
            <Link className="button primary" to="/checkout">
              To the checkout
            </Link>
          </p>
        </>
      )}
    </>
  );
}

import type { ReactNode } from 'react';
import {
  Form,
  isRouteErrorResponse,
  Link,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteLoaderData,
} from 'react-router';
import type { Route } from './+types/root';
import { countItems, getCart } from './cart.server.ts';
import { listCountries } from './countries.server.ts';
import { getCountry, getSession } from './session.server.ts';
import { shopName } from './settings.server.ts';
import stylesheet from './styles.css?url';

export const links: Route.LinksFunction = () => [
  { rel: 'stylesheet', href: stylesheet },
  { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' },
];

/** What the frame of every page shows. */
export async function loader({ request }: Route.LoaderArgs) {
  const session = await getSession(request);
  return {
    shopName,
    countries: await listCountries(),
    country: getCountry(session),
    cartCount: countItems(getCart(session)),
    isSignedIn: session.has('email'),
  };
}

export function Layout({ children }: { children: ReactNode }) {
  const frame = useRouteLoaderData<typeof loader>('root');
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>
        <a className="skip" href="#content">
          Skip to the content
        </a>
        <header className="site-header">
          <Link className="brand" to="/">
            {frame?.shopName ?? 'Shop'}
          </Link>
          <nav aria-label="Shop">
            <Link to="/cart">Cart{frame && frame.cartCount > 0 ? ` (${frame.cartCount})` : ''}</Link>
            {frame?.isSignedIn && <Link to="/orders">Orders</Link>}
            {frame?.isSignedIn ? <Link to="/account">Account</Link> : <Link to="/sign-in">Sign in</Link>}
          </nav>
          {frame && <CountryForm countries={frame.countries} country={frame.country} />}
        </header>
        <main id="content">{children}</main>
        <footer className="site-footer">
          <p>An example of a storefront on Keyfront. Nothing here is for sale.</p>
        </footer>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

function CountryForm({
  countries,
  country,
}: Pick<Route.ComponentProps['loaderData'], 'countries' | 'country'>) {
  const { pathname, search } = useLocation();
  return (
    <Form className="country" method="post" action="/country">
      <input type="hidden" name="returnTo" value={pathname + search} />
      <label htmlFor="country">Ship to</label>
      <select key={country} id="country" name="country" defaultValue={country}>
        {countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit">Change</button>
    </Form>
  );
}

export default function App() {
  return <Outlet />;
}

/** In place of a page that could not be shown. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const [title, text] = describeError(isRouteErrorResponse(error) ? error.status : 500);
  return (
    <section className="notice">
      <title>{title}</title>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a className="button" href="/">
          To the catalogue
        </a>
      </p>
    </section>
  );
}

function describeError(status: number): [title: string, text: string] {
  if (status === 404) return ['Not found', 'There is no such page, or it is not yours.'];
  if (status === 403)
    return [
      'Not sent',
      'The form came from another page than ours. Please open the page here, and try again.',
    ];
  if (status === 413) return ['Too long', 'That is more than the shop can take. Please send less.'];
  if (status === 503)
    return [
      'We will be back in a moment',
      'The shop cannot reach its service. Nothing is lost: please try again.',
    ];
  return ['Something went wrong', 'That was our fault. Please try again.'];
}

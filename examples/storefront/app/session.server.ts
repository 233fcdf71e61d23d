import { createCookieSessionStorage, data, type Session } from 'react-router';
import type { Cart } from './cart.server.ts';
import { sessionSecret, shopUrl } from './settings.server.ts';

/** What the shop knows of a visitor. It is in the visitor's cookie: signed, so nobody can change it, but not encrypted. */
interface SessionData {
  /** Where orders are shipped to: prices and stock differ by country. */
  country: string;
  cart: Cart;
  /** Proven by a code. */
  email: string;
  /** The customer in Keyfront. Absent until they are registered. */
  clientId: string;
}

export type ShopSession = Session<SessionData>;

const storage = createCookieSessionStorage<SessionData>({
  cookie: {
    name: 'shop',
    httpOnly: true,
    // Sent when a provider's page links back to the shop, and never with a form of another site.
    sameSite: 'lax',
    secure: shopUrl.startsWith('https:'),
    path: '/',
    maxAge: 30 * 24 * 60 * 60,
    secrets: [sessionSecret],
  },
});

/** Reads the session of a request. Refuses forms of other sites, which must not act for, or as, a visitor of the shop. */
export async function getSession(request: Request): Promise<ShopSession> {
  if (!['GET', 'HEAD'].includes(request.method) && !isOwnOrigin(request)) throw data(null, { status: 403 });
  return storage.getSession(request.headers.get('cookie'));
}

/** Browsers send the origin of the page with each form. The shop may have another name on this machine than outside. */
function isOwnOrigin(request: Request): boolean {
  const origin = request.headers.get('origin');
  return origin !== null && [new URL(shopUrl).origin, new URL(request.url).origin].includes(origin);
}

/** Sends the session with a response. */
export async function withSession(session: ShopSession): Promise<ResponseInit> {
  return { headers: { 'set-cookie': await storage.commitSession(session) } };
}

export function getCountry(session: ShopSession): string {
  return session.get('country') ?? 'PRT';
}

/** Ends the session: the cart is gone too. */
export async function withoutSession(session: ShopSession): Promise<ResponseInit> {
  return { headers: { 'set-cookie': await storage.destroySession(session) } };
}

import { createCookieSessionStorage, type Session } from 'react-router';
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

export function getSession(request: Request): Promise<ShopSession> {
  return storage.getSession(request.headers.get('cookie'));
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

import { type Client, ConflictError, type NewClient, NotFoundError } from '@keyfront/sdk';
import { redirect } from 'react-router';
import { keyfront, read } from './keyfront.server.ts';
import { getSession, withSession } from './session.server.ts';

/** The client with an e-mail address, or null. */
export async function findClient(email: string): Promise<Client | null> {
  const { clients } = await read(keyfront.clients.list({ email, take: 1 }));
  return clients[0] ?? null;
}

/** Registers a customer whose e-mail address is proven by a code. */
export async function registerClient(client: NewClient): Promise<string> {
  try {
    return (await keyfront.clients.create(client)).id;
  } catch (error) {
    // A second click: the first one has registered the customer.
    const existing = error instanceof ConflictError ? await findClient(client.email) : null;
    if (!existing) throw error;
    return existing.id;
  }
}

/** The customer who asks. Sends visitors to the sign-in, and those whom Keyfront does not know to the registration. */
export async function requireClient(request: Request) {
  const session = await getSession(request);
  const { pathname } = new URL(request.url);
  const goOn = `returnTo=${encodeURIComponent(pathname)}`;
  if (!session.get('email')) throw redirect(`/sign-in?${goOn}`);
  const clientId = session.get('clientId');
  if (!clientId) throw redirect(`/register?${goOn}`);
  try {
    return { session, client: await keyfront.clients.get(clientId, { medicalRecord: 'omit' }) };
  } catch (error) {
    if (!(error instanceof NotFoundError)) return read(Promise.reject(error));
    // Erased, perhaps on another device.
    session.unset('clientId');
    session.unset('email');
    throw redirect('/sign-in', await withSession(session));
  }
}

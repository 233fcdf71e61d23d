import { Keyfront } from '@keyfront/sdk';
import { getSession, useSession } from './session-store.ts';

export const baseUrl = window.location.origin;

/** For operations that need no session. */
export const publicKeyfront = new Keyfront({ baseUrl });

let client: { readonly token: string; readonly keyfront: Keyfront } | null = null;

/** The client of the signed-in wallet. */
export function getKeyfront(): Keyfront {
  const session = getSession();
  if (!session) return publicKeyfront;
  if (client?.token !== session.token) {
    // A person waits for the response: fewer attempts than a program would make.
    client = {
      token: session.token,
      keyfront: new Keyfront({ baseUrl, token: session.token, maxAttempts: 3, deadlineMs: 20_000 }),
    };
  }
  return client.keyfront;
}

export function useKeyfront(): Keyfront {
  useSession();
  return getKeyfront();
}

import { redirect } from 'react-router';
import { requireClient } from '../customer.server.ts';
import { keyfront, read } from '../keyfront.server.ts';
import { shopUrl } from '../settings.server.ts';
import type { Route } from './+types/verify';

/** Sends the customer to the page of the identity provider, which leads back to the account. */
export async function action({ request }: Route.ActionArgs) {
  const { client } = await requireClient(request);
  const { kycLink } = await read(
    keyfront.clients.createKycLink(client.id, { returnUrl: `${shopUrl}/account` }),
  );
  return redirect(kycLink ?? '/account');
}

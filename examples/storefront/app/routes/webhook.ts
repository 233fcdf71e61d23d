import { receiveWebhook } from '../events.server.ts';
import type { Route } from './+types/webhook';

/** Keyfront sends events here. The signature says that they are from Keyfront; there is no session. */
export async function action({ request }: Route.ActionArgs) {
  if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
  return receiveWebhook(request);
}

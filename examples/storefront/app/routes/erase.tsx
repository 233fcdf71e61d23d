import { Form, Link, redirect } from 'react-router';
import { requireClient } from '../customer.server.ts';
import { forgetEvents } from '../event-history.server.ts';
import { keyfront, read } from '../keyfront.server.ts';
import { withoutSession } from '../session.server.ts';
import { forgetCodes } from '../sign-in-codes.server.ts';
import type { Route } from './+types/erase';

export const meta: Route.MetaFunction = () => [{ title: 'Erase my data' }];

export async function loader({ request }: Route.LoaderArgs) {
  await requireClient(request);
  return null;
}

/** First in Keyfront: if that fails, the customer is still signed in and can try again. */
export async function action({ request }: Route.ActionArgs) {
  const { session, client } = await requireClient(request);
  await read(keyfront.clients.archive(client.id, { erase: 'true' }));
  forgetEvents(client.id);
  forgetCodes(client.email);
  return redirect('/', await withoutSession(session));
}

export default function Erase() {
  return (
    <>
      <h1>Erase my data</h1>
      <p>
        We erase your name, addresses, answers and everything else that we know of you, except what invoices
        must keep. You can no longer see your orders here. This cannot be undone.
      </p>
      <Form method="post" className="row">
        <Link className="button" to="/account">
          Keep my account
        </Link>
        <button type="submit" className="danger">
          Erase my data
        </button>
      </Form>
    </>
  );
}

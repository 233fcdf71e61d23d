import { redirect } from 'react-router';
import { getSession, withoutSession } from '../session.server.ts';
import type { Route } from './+types/sign-out';

export async function action({ request }: Route.ActionArgs) {
  return redirect('/', await withoutSession(await getSession(request)));
}

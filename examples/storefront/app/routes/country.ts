import { redirect } from 'react-router';
import { listCountries } from '../countries.server.ts';
import { localPath } from '../local-path.ts';
import { readForm } from '../read-body.server.ts';
import { getSession, withSession } from '../session.server.ts';
import type { Route } from './+types/country';

/** Chooses the country that orders are shipped to. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request);
  const country = String(form.get('country'));
  const session = await getSession(request);
  if ((await listCountries()).some(({ code }) => code === country)) session.set('country', country);
  return redirect(localPath(form.get('returnTo')), await withSession(session));
}

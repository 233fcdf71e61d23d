import { ValidationError } from '@keyfront/sdk';
import { data, Form, redirect } from 'react-router';
import { listCountries } from '../countries.server.ts';
import { registerClient } from '../customer.server.ts';
import { isAway } from '../keyfront.server.ts';
import { localPath } from '../local-path.ts';
import { readForm } from '../read-body.server.ts';
import { getCountry, getSession, withSession } from '../session.server.ts';
import type { Route } from './+types/register';

export const meta: Route.MetaFunction = () => [{ title: 'Register' }];

export async function loader({ request }: Route.LoaderArgs) {
  const session = await getSession(request);
  const email = session.get('email');
  if (!email) throw redirect('/sign-in');
  if (session.get('clientId')) throw redirect('/account');
  const returnTo = localPath(new URL(request.url).searchParams.get('returnTo'), '/account');
  return { email, returnTo, country: getCountry(session), countries: await listCountries() };
}

export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request);
  const session = await getSession(request);
  const email = session.get('email');
  if (!email) throw redirect('/sign-in');
  const field = (name: string) => String(form.get(name) ?? '').trim();
  if (form.get('isAdult') !== 'on') return refuse('You must be an adult to register.');
  try {
    const clientId = await registerClient({
      firstName: field('firstName'),
      lastName: field('lastName'),
      email,
      shipping: {
        address1: field('address'),
        city: field('city'),
        postalCode: field('postalCode'),
        countryCode: field('countryCode'),
      },
      // Keyfront encrypts it, and the shop never shows or stores it.
      medicalRecord: { conditions: field('conditions'), medication: field('medication'), isAdult: true },
    });
    session.set('clientId', clientId);
    session.set('country', field('countryCode'));
  } catch (error) {
    if (error instanceof ValidationError) return refuse(`Please correct: ${error.issues.join('; ')}.`);
    if (isAway(error))
      return refuse('We cannot reach our service. Nothing is lost: please send it again.', 503);
    throw error;
  }
  return redirect(localPath(form.get('returnTo'), '/account'), await withSession(session));
}

function refuse(problem: string, status = 400) {
  return data({ problem }, { status });
}

export default function Register({ loaderData, actionData }: Route.ComponentProps) {
  const { email, returnTo, country, countries } = loaderData;
  return (
    <>
      <h1>Register</h1>
      {actionData && (
        <p className="notice bad" role="alert">
          {actionData.problem}
        </p>
      )}
      <Form method="post" className="stack">
        <p>You are signed in as {email}. We need to know where to ship, and a little about your health.</p>
        <input type="hidden" name="returnTo" value={returnTo} />
        <Text name="firstName" label="First name" autoComplete="given-name" />
        <Text name="lastName" label="Last name" autoComplete="family-name" />
        <Text name="address" label="Street and number" autoComplete="address-line1" />
        <Text name="postalCode" label="Postal code" autoComplete="postal-code" />
        <Text name="city" label="City" autoComplete="address-level2" />
        <label htmlFor="countryCode">Country</label>
        <select id="countryCode" name="countryCode" defaultValue={country} autoComplete="country">
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
        <h2>Questionnaire</h2>
        <p className="muted">Your answers are encrypted, and only people who approve orders may read them.</p>
        <label htmlFor="conditions">What do you want to treat?</label>
        <textarea id="conditions" name="conditions" rows={3} maxLength={2000} required />
        <label htmlFor="medication">Which medication do you take?</label>
        <textarea id="medication" name="medication" rows={3} maxLength={2000} />
        <label className="choice">
          <input type="checkbox" name="isAdult" required /> <span>I am an adult</span>
        </label>
        <button type="submit" className="primary">
          Register
        </button>
      </Form>
    </>
  );
}

function Text({ name, label, autoComplete }: { name: string; label: string; autoComplete: string }) {
  return (
    <>
      <label htmlFor={name}>{label}</label>
      <input id={name} name={name} autoComplete={autoComplete} maxLength={100} required />
    </>
  );
}

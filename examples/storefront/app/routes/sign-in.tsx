import { data, Form, redirect } from 'react-router';
import { findClient } from '../customer.server.ts';
import { localPath } from '../local-path.ts';
import { readForm } from '../read-body.server.ts';
import { sendCode } from '../send-code.server.ts';
import { getSession, withSession } from '../session.server.ts';
import { acceptCode, createCode } from '../sign-in-codes.server.ts';
import type { Route } from './+types/sign-in';

export const meta: Route.MetaFunction = () => [{ title: 'Sign in' }];

/** First an e-mail address, then the code that was sent to it. */
export async function action({ request }: Route.ActionArgs) {
  const session = await getSession(request);
  const form = await readForm(request);
  const email = String(form.get('email')).trim().toLowerCase();
  if (email.length > 254 || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
    return refuse({ problem: 'Enter an e-mail address.' });
  const entered = form.get('code');
  if (entered === null) {
    const code = createCode(email);
    if (code === null)
      return refuse({ problem: 'Too many codes were sent to this address. Try again in an hour.' });
    try {
      return data({ email, shownCode: await sendCode(email, code) });
    } catch (error) {
      console.error('A code could not be sent:', error instanceof Error ? error.message : error);
      return data({ problem: 'The code could not be sent. Please try again in a moment.' }, { status: 503 });
    }
  }
  if (!acceptCode(email, String(entered).trim()))
    return refuse({
      email,
      problem: 'This code is not valid, or no longer. Try again, or ask for a new one.',
    });
  const client = await findClient(email);
  session.set('email', email);
  session.unset('clientId');
  if (client) {
    session.set('clientId', client.id);
    session.set('country', client.shipping.countryCode);
  }
  const returnTo = localPath(form.get('returnTo'), '/account');
  return redirect(
    client ? returnTo : `/register?returnTo=${encodeURIComponent(returnTo)}`,
    await withSession(session),
  );
}

interface Answer {
  readonly email?: string;
  readonly problem?: string;
  readonly shownCode?: string | null;
}

function refuse(answer: Answer) {
  return data(answer, { status: 400 });
}

export function loader({ request }: Route.LoaderArgs) {
  return { returnTo: localPath(new URL(request.url).searchParams.get('returnTo'), '/account') };
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { email, problem, shownCode }: Answer = actionData ?? {};
  return (
    <>
      <h1>Sign in</h1>
      {problem && (
        <p className="notice bad" role="alert">
          {problem}
        </p>
      )}
      {shownCode && (
        <p className="notice" role="status">
          This is a demo, so no e-mail is sent. Your code is <strong className="code">{shownCode}</strong>.
        </p>
      )}
      {email ? (
        <Form method="post" className="stack" key="code">
          <p>We have sent a code to {email}. It is valid for ten minutes.</p>
          <input type="hidden" name="email" value={email} />
          <input type="hidden" name="returnTo" value={loaderData.returnTo} />
          <label htmlFor="code">Code</label>
          <input
            id="code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="\s*[0-9]{6}\s*"
            required
          />
          <button type="submit" className="primary">
            Sign in
          </button>
        </Form>
      ) : (
        <Form method="post" className="stack" key="email">
          <p>New here, or back again: we send a code to your e-mail address.</p>
          <label htmlFor="email">E-mail address</label>
          <input id="email" name="email" type="email" autoComplete="email" maxLength={254} required />
          <button type="submit" className="primary">
            Send me a code
          </button>
        </Form>
      )}
    </>
  );
}

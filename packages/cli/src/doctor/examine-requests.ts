import { AuthenticationError, type Keyfront, ValidationError } from '@keyfront/sdk';
import { exitCodes, Failure } from '../failure.ts';
import type { TokenClaims } from '../settings/token-claims.ts';
import { type Finding, good } from './examine.ts';
import { explainRefusal } from './explain-refusal.ts';

/** Sends a GET and a POST with the credentials, neither of which changes anything. */
export async function* examineRequests(
  keyfront: Keyfront,
  claims: TokenClaims | null,
  signal: AbortSignal,
): AsyncGenerator<Finding, void, undefined> {
  const kind = claims === null ? 'signed GET' : 'GET with the token';
  await keyfront.request('GET', '/planets', { signal }).catch((error) => {
    throw error instanceof AuthenticationError ? explainRefusal(error, claims !== null) : error;
  });
  yield good(`A ${kind} is accepted`);

  // Nothing that is asked for: it is refused after the credentials are accepted, and before anything is done.
  const path = claims?.isAdministrator ? '/admin/strains' : '/dapp/orders';
  const answer = await keyfront.request('POST', path, { body: {}, signal }).then(
    () => null,
    (error: unknown) => error,
  );
  if (answer instanceof AuthenticationError) {
    throw new Failure(
      'A GET is accepted and a POST is not, so that something on the way changes its body or its headers: ' +
        `look at the proxies before the service (${answer.reason ?? answer.message})`,
      exitCodes.authentication,
      { cause: answer },
    );
  }
  if (answer === null) {
    throw new Failure(
      'A POST without its fields was accepted, which a Keyfront never does: check the base address',
    );
  }
  if (!(answer instanceof ValidationError)) throw answer;
  yield good(`A ${claims === null ? 'signed POST' : 'POST with the token'} is accepted`);
}

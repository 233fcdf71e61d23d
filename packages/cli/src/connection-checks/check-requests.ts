import { AuthenticationError, ForbiddenError, type Keyfront, ValidationError } from '@keyfront/sdk';
import { CliError, exitCodes } from '../cli-error.ts';
import type { TokenClaims } from '../credentials/token-claims.ts';
import { type CheckResult, passed, warning } from './check-result.ts';
import { explainRejection, findKnownCause } from './explain-rejection.ts';

/** A service that says which scope a key lacks has accepted its signature. */
const isScopeMissing = (error: unknown): error is ForbiddenError =>
  error instanceof ForbiddenError && error.code === 'SCOPE_MISSING';

/** A key with few scopes is as its owner wants it, so this is no warning. */
const acceptedWithoutScope = (method: string, { message }: ForbiddenError): CheckResult =>
  passed(`The signature of a ${method} is accepted, but the key may not send this one: ${message}`);

/** Sends a GET that every credential is allowed to send, unless it is a key with other scopes. */
export async function checkGet(
  keyfront: Keyfront,
  claims: TokenClaims | null,
  signal: AbortSignal,
): Promise<CheckResult> {
  try {
    await keyfront.request('GET', '/planets', { signal });
  } catch (error) {
    if (isScopeMissing(error)) return acceptedWithoutScope('GET', error);
    if (!(error instanceof AuthenticationError)) throw error;
    throw explainRejection(error, { isToken: claims !== null, url: `${keyfront.baseUrl}/planets` });
  }
  return passed(claims === null ? 'A signed GET is accepted' : 'A GET with the token is accepted');
}

/** Finds out why a service accepts only the simple form of signatures, if it does. The client has sent a request before. */
export async function checkForm(
  keyfront: Keyfront,
  createBoundClient: () => Keyfront,
  signal: AbortSignal,
): Promise<CheckResult> {
  const accepted = 'Bound signatures are accepted';
  const { headers } = await keyfront.sign('GET', '/planets');
  if ('signature-input' in headers) return passed(accepted);
  try {
    await createBoundClient().request('GET', '/planets', { signal });
    return passed(accepted);
  } catch (error) {
    if (isScopeMissing(error)) return passed(accepted);
    if (!(error instanceof AuthenticationError)) throw error;
    const { code, reason, message } = error;
    const cause =
      code === 'CREDENTIALS_MISSING'
        ? 'the service does not know them, or something in front of it removes the headers signature and signature-input'
        : (findKnownCause(error, `${keyfront.baseUrl}/planets`) ?? reason ?? message);
    return warning(
      `Only simple signatures are accepted, which can be used again by whoever captures them: ${cause}`,
    );
  }
}

/** Sends a POST with an empty body. The service checks the credentials first and then rejects the body. */
export async function checkPost(
  keyfront: Keyfront,
  claims: TokenClaims | null,
  signal: AbortSignal,
): Promise<CheckResult> {
  const path = claims?.isAdministrator ? '/admin/strains' : '/dapp/orders';
  const error = await keyfront.request('POST', path, { body: {}, signal }).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof AuthenticationError) {
    const url = keyfront.baseUrl + path;
    if (findKnownCause(error, url) !== null) throw explainRejection(error, { isToken: claims !== null, url });
    throw new CliError(
      'The service accepts a GET but rejects a POST: something in between changes the body or the headers. ' +
        `Check the proxies in front of the service (${error.reason ?? error.message}).`,
      exitCodes.authentication,
      { cause: error },
    );
  }
  if (error === null) {
    throw new CliError('The service accepted a POST without its required fields. Check the service URL.');
  }
  if (isScopeMissing(error)) return acceptedWithoutScope('POST', error);
  if (!(error instanceof ValidationError)) throw error;
  return passed(claims === null ? 'A signed POST is accepted' : 'A POST with the token is accepted');
}

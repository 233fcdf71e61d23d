import type { AuthenticationError } from '@keyfront/sdk';
import { CliError, exitCodes } from '../cli-error.ts';

/** Explains a 401 to credentials that passed all local checks. */
export function explainRejection(error: AuthenticationError, isToken: boolean): CliError {
  return new CliError(explain(error.reason ?? error.message, isToken), exitCodes.authentication, {
    cause: error,
  });
}

function explain(reason: string, isToken: boolean): string {
  if (/\bis missing\b/.test(reason)) {
    const headers = isToken ? 'the authorization header' : 'the x-auth-apikey and x-auth-signature headers';
    return `Something in front of the service removes ${headers}. Configure the proxy to forward them (${reason}).`;
  }
  if (/not known here or was revoked/.test(reason)) {
    return (
      'The service does not know this API key, or the key was revoked. Check the service URL and the key in ' +
      '`keyfront keys list`; create another key if it was revoked.'
    );
  }
  if (/does not match the payload/.test(reason)) {
    return `Something in front of the service changes the request, so that its signature no longer matches: ${reason}`;
  }
  return `The service rejects the ${isToken ? 'token' : 'signature'}: ${reason}`;
}

import type { AuthenticationError } from '@keyfront/sdk';
import { CliError, exitCodes } from '../cli-error.ts';

/** Explains a 401 to credentials that passed all local checks. */
export function explainRejection(error: AuthenticationError, isToken: boolean): CliError {
  return new CliError(explain(error, isToken), exitCodes.authentication, { cause: error });
}

function explain({ code, reason, message }: AuthenticationError, isToken: boolean): string {
  const details = reason ?? message;
  switch (code) {
    case 'CREDENTIALS_MISSING': {
      const headers = isToken ? 'the authorization header' : 'the x-auth-apikey and x-auth-signature headers';
      return `Something in front of the service removes ${headers}. Configure the proxy to forward them (${details}).`;
    }
    case 'API_KEY_UNKNOWN':
      return (
        'The service does not know this API key, or the key was revoked. Check the service URL and the key in ' +
        '`keyfront keys list`; create another key if it was revoked.'
      );
    case 'SIGNATURE_INVALID':
      // The keys match and the SDK signed the request, so it must have been changed on its way.
      return `Something in front of the service changes the request, so that its signature no longer matches: ${details}`;
    default:
      return `The service rejects the ${isToken ? 'token' : 'signature'}: ${details}`;
  }
}

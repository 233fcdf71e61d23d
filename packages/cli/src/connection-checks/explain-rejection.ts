import type { AuthenticationError } from '@keyfront/sdk';
import { CliError, exitCodes } from '../cli-error.ts';

/** How a rejected request was sent. */
export interface RejectedRequest {
  readonly isToken: boolean;
  readonly url: string;
}

/** Explains a 401 to credentials that passed all local checks. */
export function explainRejection(error: AuthenticationError, request: RejectedRequest): CliError {
  return new CliError(explain(error, request), exitCodes.authentication, { cause: error });
}

/**
 * Finds a cause that lies with the caller or in the settings of the service: the clock, or the address. Null if the reason of the
 * service names neither.
 */
export function findKnownCause({ reason }: AuthenticationError, url: string): string | null {
  const [clock] = /^the clock of this machine is [^(]+(?= \()/.exec(reason ?? '') ?? [];
  if (clock !== undefined) return `${clock}.`;
  const [, expectedUrl] = /^signature does not match .*"@target-uri": (\S+)/.exec(reason ?? '') ?? [];
  if (expectedUrl === undefined || expectedUrl === url) return null;
  return (
    `the service takes ${expectedUrl} for the address of the request, which was sent to ${url}. Call the service at the ` +
    'former, or let its operator set PUBLIC_URL to the address that callers use.'
  );
}

function explain(error: AuthenticationError, { isToken, url }: RejectedRequest): string {
  const { code, reason, message } = error;
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
    case 'SIGNATURE_INVALID': {
      const cause = findKnownCause(error, url);
      if (cause !== null) return `${cause.charAt(0).toUpperCase()}${cause.slice(1)}`;
      // The keys match and the SDK signed the request, so it must have been changed on its way.
      return `Something in front of the service changes the request, so that its signature no longer matches: ${details}`;
    }
    default:
      return `The service rejects the ${isToken ? 'token' : 'signature'}: ${details}`;
  }
}

import type { AuthenticationError } from '@keyfront/sdk';
import { exitCodes, Failure } from '../failure.ts';

/** What a 401 means for somebody whose keys are a pair and whose token has not expired. */
export function explainRefusal(error: AuthenticationError, isToken: boolean): Failure {
  return new Failure(sentenceFor(error.reason ?? error.message, isToken), exitCodes.authentication, {
    cause: error,
  });
}

function sentenceFor(reason: string, isToken: boolean): string {
  if (/\bis missing\b/.test(reason)) {
    const headers = isToken ? 'the header authorization' : 'the headers x-auth-apikey and x-auth-signature';
    return `Something on the way takes ${headers} out (the service says: ${reason}): let the proxy pass them on`;
  }
  if (/not known here or was revoked/.test(reason)) {
    return (
      'The key is unknown at this service, or was revoked (it does not say which, on purpose): check the address, then ' +
      'look for the key in `keyfront keys list`, and make another if it is revoked'
    );
  }
  if (/does not match the payload/.test(reason)) {
    return `Something on the way changes the request, so that its signature no longer matches: ${reason}`;
  }
  return isToken ? `The token is refused: ${reason}` : `The signature is refused: ${reason}`;
}

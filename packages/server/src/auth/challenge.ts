import { ApiError } from '../api-error.ts';
import type { GuardedAccess } from './guard.ts';

/** The kind of credential that was tried, or asked for. */
export type Scheme = 'Signature' | 'Bearer';

/** Why a credential is refused. */
export interface CredentialRefusal {
  readonly code:
    | 'CREDENTIALS_MISSING'
    | 'SIGNATURE_INVALID'
    | 'API_KEY_UNKNOWN'
    | 'TOKEN_INVALID'
    | 'TOKEN_REQUIRED'
    | 'SIGN_IN_FAILED';
  readonly scheme: Scheme;
  readonly reason: string;
}

/**
 * A 401 with the text of its route, and in `WWW-Authenticate` the reason. The reason speaks of the caller's own request
 * and nothing else, so it stays out of the log.
 */
export function refuseCredential(access: GuardedAccess, refusal: CredentialRefusal): ApiError {
  const { code, scheme, reason } = refusal;
  return new ApiError(code, {
    message: access === 'credential' ? 'User is not authorized' : 'Unauthorized',
    headers: { 'www-authenticate': challenge(scheme, reason) },
  });
}

/** A challenge in the form of RFC 9110; what is not printable ASCII has no place in a header. */
export function challenge(scheme: Scheme, reason: string): string {
  const quoted = reason.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&');
  const error =
    scheme === 'Bearer'
      ? 'error="invalid_token", error_description'
      : 'error="invalid_signature", error_description';
  return `${scheme} realm="keyfront", ${error}="${quoted}"`;
}

import { ApiError } from '../api-error.ts';
import type { GuardedAccess } from './guard.ts';

/** The kind of credential that was tried, or asked for. */
export type Scheme = 'Signature' | 'Bearer';

/**
 * A 401 with the text of its route, and in `WWW-Authenticate` the reason. The reason speaks of the caller's own request
 * and nothing else, so it stays out of the log.
 */
export function refuseCredential(access: GuardedAccess, scheme: Scheme, reason: string): ApiError {
  return new ApiError(access === 'credential' ? 'CREDENTIAL_REFUSED' : 'TOKEN_REFUSED', {
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

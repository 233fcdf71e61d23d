import { ApiError } from '../api-error.ts';
import type { Actor } from '../security-log/security-event.ts';
import { shorten } from '../shorten.ts';
import type { GuardedAccess } from './guard.ts';

/** The authentication scheme that the caller used, or should use. */
export type Scheme = 'Signature' | 'Bearer' | 'Webhook';

/** Why a credential is not accepted. */
export interface CredentialRejection {
  readonly code:
    | 'CREDENTIALS_MISSING'
    | 'SIGNATURE_INVALID'
    | 'API_KEY_UNKNOWN'
    | 'API_KEY_EXPIRED'
    | 'BOUND_SIGNATURE_REQUIRED'
    | 'TOKEN_INVALID'
    | 'TOKEN_REQUIRED'
    | 'SIGN_IN_FAILED';
  readonly scheme: Scheme;
  readonly reason: string;
  /** Who claims to call, for the security log. */
  readonly actor?: Actor;
}

/**
 * The 401 of a route, with the reason in `WWW-Authenticate`. The reason quotes the caller's own request, so it is not
 * logged.
 */
export function unauthorized(
  access: GuardedAccess,
  { code, scheme, reason, actor = {} }: CredentialRejection,
): ApiError {
  return new ApiError(code, {
    message: access === 'credential' ? 'User is not authorized' : 'Unauthorized',
    headers: { 'www-authenticate': formatChallenge(scheme, reason) },
    actor,
  });
}

const maximumReasonLength = 1_000;

/** A challenge as in RFC 9110. Characters that are not printable ASCII are not allowed in a header. */
export function formatChallenge(scheme: Scheme, reason: string): string {
  const quoted = shorten(reason, maximumReasonLength)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll(/["\\]/g, '\\$&');
  const error = scheme === 'Bearer' ? 'invalid_token' : 'invalid_signature';
  return `${scheme} realm="keyfront", error="${error}", error_description="${quoted}"`;
}

import type { SignatureErrorCode } from '@keyfront/protocol';
import type { Actor } from '../lib/errors/actor.ts';
import { ApiError } from '../lib/errors/api-error.ts';
import { shorten } from '../lib/errors/shorten.ts';
import type { GuardedAccess } from './guard.ts';

/** The authentication scheme that the caller used, or should use. */
export type Scheme = 'Signature' | 'Bearer' | 'Webhook';

/** Why a credential is not accepted. */
export interface CredentialRejection {
  readonly code:
    | 'CREDENTIALS_MISSING'
    | SignatureErrorCode
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
 * The 401 of a route, with the reason in its body and in `WWW-Authenticate`. The reason quotes the caller's own request, so it is
 * not logged.
 */
export function unauthorized(
  access: GuardedAccess,
  { code, scheme, reason, actor = {} }: CredentialRejection,
): ApiError {
  return new ApiError(code, {
    message: access === 'credential' ? 'User is not authorized' : 'Unauthorized',
    ...describeReason(scheme, reason),
    actor,
  });
}

const maximumReasonLength = 1_000;

/** The reason for the body, and for the challenge as in RFC 9110. Only printable ASCII is allowed in a header. */
export function describeReason(
  scheme: Scheme,
  text: string,
): { readonly reason: string; readonly headers: { readonly 'www-authenticate': string } } {
  const reason = shorten(text, maximumReasonLength).replaceAll(/[^\x20-\x7e]/g, '?');
  const quoted = reason.replaceAll(/["\\]/g, '\\$&');
  const error = scheme === 'Bearer' ? 'invalid_token' : 'invalid_signature';
  return {
    reason,
    headers: {
      'www-authenticate': `${scheme} realm="keyfront", error="${error}", error_description="${quoted}"`,
    },
  };
}

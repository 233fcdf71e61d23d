import type { CredentialRejection, Scheme } from './challenge.ts';
import { keyReasons } from './key-reasons.ts';

/** A credential that is not accepted, and why. */
export class InvalidCredential implements CredentialRejection {
  readonly code: CredentialRejection['code'];
  readonly scheme: Scheme;
  readonly reason: string;

  constructor(code: CredentialRejection['code'], scheme: Scheme, reason: string) {
    this.code = code;
    this.scheme = scheme;
    this.reason = reason;
  }
}

export function missingToken(isSigned: boolean): InvalidCredential {
  return new InvalidCredential(
    isSigned ? 'TOKEN_REQUIRED' : 'CREDENTIALS_MISSING',
    'Bearer',
    isSigned
      ? 'this route accepts only a JWT: sign in with the wallet and send Authorization: Bearer'
      : 'the authorization header is missing',
  );
}

export function invalidSignature(isSigned: boolean, reason: string): InvalidCredential {
  return new InvalidCredential(isSigned ? 'SIGNATURE_INVALID' : 'CREDENTIALS_MISSING', 'Signature', reason);
}

export function unknownKey(prefix = ''): InvalidCredential {
  return new InvalidCredential('API_KEY_UNKNOWN', 'Signature', `${prefix}${keyReasons.unknown()}`);
}

export function invalidToken(reason: string): InvalidCredential {
  return new InvalidCredential('TOKEN_INVALID', 'Bearer', reason);
}

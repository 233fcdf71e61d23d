import type { SignatureRejection } from '@keyfront/signatures';
import type { CredentialRejection, Scheme } from './challenge.ts';
import { keyReasons } from './key-reasons.ts';

/** A credential that is not accepted, and why. */
export class InvalidCredential implements CredentialRejection {
  readonly code: CredentialRejection['code'];
  readonly scheme: Scheme;
  readonly reason: string;
  /** Searches for the mistake in a signature. Called only for an address that may still fail, because it takes long. */
  readonly explain: (() => InvalidCredential) | undefined;

  constructor(
    code: CredentialRejection['code'],
    scheme: Scheme,
    reason: string,
    explain?: () => InvalidCredential,
  ) {
    this.code = code;
    this.scheme = scheme;
    this.reason = reason;
    this.explain = explain;
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

export function invalidSignature({
  code,
  reason,
  explain,
}: Omit<SignatureRejection, 'ok'>): InvalidCredential {
  return new InvalidCredential(code, 'Signature', reason, explain && (() => invalidSignature(explain())));
}

export function unknownKey(): InvalidCredential {
  return new InvalidCredential('API_KEY_UNKNOWN', 'Signature', keyReasons.unknown());
}

export function invalidToken(reason: string): InvalidCredential {
  return new InvalidCredential('TOKEN_INVALID', 'Bearer', reason);
}

import type { SignatureErrorCode } from '@keyfront/protocol';

/** Why a credential or a part of it is not accepted. The reason is printable ASCII, so that it fits into a header. */
export interface Rejection {
  readonly ok: false;
  readonly reason: string;
}

/** Why a signature is not accepted. */
export interface SignatureRejection extends Rejection {
  readonly code: SignatureErrorCode | 'CREDENTIALS_MISSING';
  /** Searches for the mistake in a wrong signature, which takes many verifications. */
  readonly explain?: () => SignatureRejection;
}

export function reject(reason: string): Rejection {
  return { ok: false, reason };
}

export function rejectSignature(
  code: SignatureRejection['code'],
  reason: string,
  explain?: () => SignatureRejection,
): SignatureRejection {
  return explain ? { ok: false, code, reason, explain } : { ok: false, code, reason };
}

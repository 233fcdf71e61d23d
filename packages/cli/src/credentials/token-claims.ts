import { isRecord } from '../is-record.ts';

/** The claims of a token. Only the service can verify them. */
export interface TokenClaims {
  readonly walletAddress: string;
  readonly isAdministrator: boolean;
  readonly expiresAt: Date;
}

/** Reads the claims of a token without verifying it. Returns null if it is not a Keyfront token. */
export function readTokenClaims(token: string): TokenClaims | null {
  const [, payload = ''] = token.split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (!isRecord(claims) || typeof claims.sub !== 'string' || typeof claims.exp !== 'number') return null;
    const expiresAt = new Date(claims.exp * 1000);
    if (Number.isNaN(expiresAt.getTime())) return null;
    return { walletAddress: claims.sub, isAdministrator: claims.role === 'administrator', expiresAt };
  } catch {
    return null;
  }
}

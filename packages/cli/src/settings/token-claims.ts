import { isRecord } from '../json.ts';

/** What a token says of itself; whether that is true, only the service knows. */
export interface TokenClaims {
  readonly walletAddress: string;
  readonly isAdministrator: boolean;
  readonly expiresAt: Date;
}

/** Reads a token without verifying it; null where it is none of the service. */
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

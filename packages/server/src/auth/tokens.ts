import { webcrypto } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { type Rejection, reject } from './rejection.ts';

/** The wallet that a token authenticates. */
export interface TokenClaims {
  /** In lower case. */
  readonly walletAddress: string;
  readonly role: 'holder' | 'administrator';
}

export interface IssuedToken {
  readonly token: string;
  /** ISO 8601 in UTC. */
  readonly expiresAt: string;
}

export type VerifiedToken = { readonly ok: true; readonly claims: TokenClaims } | Rejection;

/** Issues the tokens of signed-in wallets, and verifies them. */
export interface Tokens {
  issue(claims: TokenClaims): Promise<IssuedToken>;
  verify(token: string): Promise<VerifiedToken>;
}

export interface TokenOptions {
  readonly secret: string;
  /** Still accepted for verification, so that rotating the secret signs nobody out. */
  readonly previousSecret: string | null;
  readonly issuer?: string;
  readonly audience?: string;
  readonly now?: () => Date;
}

const algorithm = 'HS256';
/** An administrator may change the data of every holder, so a lost token must not last long. */
const lifetimeSeconds = { holder: 24 * 60 * 60, administrator: 60 * 60 } as const;
// Clocks of the machines of one service may differ by this much.
const clockToleranceSeconds = 60;
const wallet = /^0x[0-9a-f]{40}$/;

export function createTokens({
  secret,
  previousSecret,
  issuer = 'keyfront',
  audience = 'keyfront-api',
  now = () => new Date(),
}: TokenOptions): Tokens {
  const current = importKey(secret);
  const accepted = previousSecret === null ? [current] : [current, importKey(previousSecret)];

  const read = async (token: string, key: Awaited<typeof current>): Promise<VerifiedToken> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        issuer,
        audience,
        requiredClaims: ['sub', 'role', 'iat', 'nbf', 'exp'],
        clockTolerance: clockToleranceSeconds,
        maxTokenAge: lifetimeSeconds.holder,
        currentDate: now(),
      });
      return readClaims(payload);
    } catch (error) {
      return reject(reasonOf(error));
    }
  };

  return {
    async issue({ walletAddress, role }) {
      const issuedAt = Math.floor(now().getTime() / 1000);
      const expiresAt = issuedAt + lifetimeSeconds[role];
      const token = await new SignJWT({ role })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setSubject(walletAddress.toLowerCase())
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setNotBefore(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(await current);
      return { token, expiresAt: new Date(expiresAt * 1000).toISOString() };
    },

    async verify(token) {
      let result: VerifiedToken = reject(notSignedHere);
      for (const key of accepted) {
        result = await read(token, await key);
        if (result.ok || result.reason !== notSignedHere) break;
      }
      return result;
    },
  };
}

/** Imports the secret once instead of for each token. */
function importKey(secret: string) {
  const bytes = new TextEncoder().encode(secret);
  return webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
}

function readClaims({ sub, role }: JWTPayload): VerifiedToken {
  if (typeof sub !== 'string' || !wallet.test(sub) || (role !== 'holder' && role !== 'administrator')) {
    return reject('the token has no valid wallet or role: sign in again');
  }
  return { ok: true, claims: { walletAddress: sub, role } };
}

const notSignedHere = 'the token was not signed by this service, or was modified: sign in again';
const claimReasons: Readonly<Record<string, string>> = {
  iss: 'the token is from another issuer',
  aud: 'the token is for another audience',
  nbf: 'the token is not valid yet',
  iat: 'the token was issued in the future',
};

/** jose verifies the signature first, so reasons about claims are only given for a token that was signed here. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired: sign in again';
  if (error instanceof errors.JWSSignatureVerificationFailed) return notSignedHere;
  if (error instanceof errors.JOSEAlgNotAllowed) return `the token must be signed with ${algorithm}`;
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return `the token lacks the claim ${error.claim}`;
    return claimReasons[error.claim] ?? `the claim ${error.claim} of the token is not valid`;
  }
  if (error instanceof errors.JOSEError) return 'the token is not a JWT';
  throw error;
}

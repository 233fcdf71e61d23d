import { webcrypto } from 'node:crypto';
import { uuidForm } from '@keyfront/protocol';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';

export type TokenRole = 'holder' | 'administrator';

/** The wallet that a token authenticates, and the session that it belongs to. */
export interface TokenClaims {
  /** In lower case. */
  readonly walletAddress: string;
  readonly role: TokenRole;
  readonly sessionId: string;
}

/** From when to when a session lasts, in whole seconds. */
export interface SessionTimes {
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface IssuedToken {
  readonly token: string;
  /** ISO 8601 in UTC. */
  readonly expiresAt: string;
}

export type VerifiedToken =
  | { readonly ok: true; readonly claims: TokenClaims }
  | { readonly ok: false; readonly reason: string };

/** Issues the tokens of signed-in wallets, and verifies them. Does not know which sessions have ended. */
export interface Tokens {
  /** The times of a session that begins now. */
  planSession(role: TokenRole): SessionTimes;
  /** Issues the token of a session. It is the same each time. */
  issue(session: TokenClaims & SessionTimes): Promise<IssuedToken>;
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
/** RFC 7515: three parts in base64url without padding. */
const compactForm = /^[\w-]+\.[\w-]+\.([\w-]*)$/;
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
    if (!isCompact(token)) return { ok: false, reason: notJwt };
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        issuer,
        audience,
        requiredClaims: ['sub', 'role', 'jti', 'iat', 'nbf', 'exp'],
        clockTolerance: clockToleranceSeconds,
        maxTokenAge: lifetimeSeconds.holder,
        currentDate: now(),
      });
      return readClaims(payload);
    } catch (error) {
      return { ok: false, reason: reasonOf(error) };
    }
  };

  return {
    planSession(role) {
      const createdAtSeconds = Math.floor(now().getTime() / 1000);
      return {
        createdAt: new Date(createdAtSeconds * 1000),
        expiresAt: new Date((createdAtSeconds + lifetimeSeconds[role]) * 1000),
      };
    },

    async issue({ walletAddress, role, sessionId, createdAt, expiresAt }) {
      const token = await new SignJWT({ role })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setJti(sessionId)
        .setSubject(walletAddress.toLowerCase())
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(createdAt)
        .setNotBefore(createdAt)
        .setExpirationTime(expiresAt)
        .sign(await current);
      return { token, expiresAt: expiresAt.toISOString() };
    },

    async verify(token) {
      let result: VerifiedToken = { ok: false, reason: notSignedHere };
      for (const key of accepted) {
        result = await read(token, await key);
        if (result.ok || result.reason !== notSignedHere) break;
      }
      return result;
    },
  };
}

/**
 * Whether a token is spelled as it was issued. The library ignores padding, and the last bits of the signature, which stand for
 * nothing. The signature covers the spelling of the other parts.
 */
function isCompact(token: string): boolean {
  const signature = compactForm.exec(token)?.[1];
  if (signature === undefined) return false;
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** Imports the secret once instead of for each token. */
function importKey(secret: string) {
  const bytes = new TextEncoder().encode(secret);
  return webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
}

function readClaims({ sub, role, jti }: JWTPayload): VerifiedToken {
  if (typeof sub !== 'string' || !wallet.test(sub) || (role !== 'holder' && role !== 'administrator')) {
    return { ok: false, reason: 'the token has no valid wallet or role: sign in again' };
  }
  if (typeof jti !== 'string' || !uuidForm.test(jti)) {
    return { ok: false, reason: 'the token names no valid session: sign in again' };
  }
  return { ok: true, claims: { walletAddress: sub, role, sessionId: jti.toLowerCase() } };
}

const notJwt = 'the token is not a JWT';
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
  if (error instanceof errors.JOSEError) return notJwt;
  throw error;
}

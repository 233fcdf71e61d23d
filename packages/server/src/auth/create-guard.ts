import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { RateLimits } from '../rate-limit/rate-limits.ts';
import { targetOf } from '../request-target.ts';
import { thenMaybe } from '../then-maybe.ts';
import { type CredentialRejection, type Scheme, unauthorized } from './challenge.ts';
import type { Caller, Guard, GuardedAccess } from './guard.ts';
import { verifyRequestToken } from './request-token.ts';
import {
  apiKeyHeaderName,
  type RequestVerifier,
  type SignedRequest,
  signatureHeaderName,
  type VerifiedRequest,
} from './signatures/verify-request.ts';
import { SuspectQueue } from './suspects.ts';
import type { Tokens } from './tokens.ts';

/** The holder that an API key acts for. */
export interface KeyHolder {
  readonly keyId: string;
  readonly holderId: string;
  readonly tokenId: number;
  readonly walletAddress: string;
}

export interface GuardParts {
  readonly verifier: RequestVerifier;
  readonly tokens: Tokens;
  readonly limits: RateLimits;
  /** By the SHA-256 of the key in hex; null if the key is unknown or revoked. */
  readonly findKeyHolder: (fingerprint: string) => KeyHolder | null | Promise<KeyHolder | null>;
  /** Whether the key was found before, as far as this process knows. */
  readonly isKnownKey: (fingerprint: string) => boolean;
  readonly findHolder: (
    walletAddress: string,
  ) => Promise<{ readonly id: string; readonly primaryTokenId: number | null } | null>;
  readonly isAdministrator: (walletAddress: string) => boolean;
  readonly recordKeyUse: (keyId: string) => void;
}

class InvalidCredential implements CredentialRejection {
  readonly code: CredentialRejection['code'];
  readonly scheme: Scheme;
  readonly reason: string;

  constructor(code: CredentialRejection['code'], scheme: Scheme, reason: string) {
    this.code = code;
    this.scheme = scheme;
    this.reason = reason;
  }
}

/** The guard of the service: authenticates signed requests and bearer tokens, and applies the rate limits to both. */
export function createGuard(parts: GuardParts): Guard {
  const { limits } = parts;
  const suspects = new SuspectQueue();
  const guard: Guard = (request, reply, access) => {
    const failureRejection = limits.findFailureRejection(request.ip);
    const authenticating = failureRejection
      ? authenticateSuspect(parts, suspects, request, access)
      : authenticate(parts, request, access);
    return thenMaybe(authenticating, (caller) => {
      if (caller instanceof InvalidCredential) {
        if (failureRejection) throw failureRejection;
        return rejectCredential(parts, request, access, caller);
      }
      request.caller = caller;
      return thenMaybe(limits.takeCredential(caller.credential), (headers) => {
        reply.headers(headers);
        if (access === 'administrator' && caller.scope.role !== 'administrator') {
          throw new ApiError('ADMINISTRATOR_REQUIRED');
        }
        return caller;
      });
    });
  };
  return Object.assign(guard, { checkHeaders: createHeaderCheck(parts) });
}

/** Rejects a request before its body is read if its headers alone show that the credential is not valid. */
function createHeaderCheck(parts: GuardParts): NonNullable<Guard['checkHeaders']> {
  return (request, access) =>
    thenMaybe(readClaimedWallet(parts, request, access), (claimed) =>
      claimed instanceof InvalidCredential ? rejectCredential(parts, request, access, claimed) : claimed,
    );
}

/** The wallet of the caller if the rest of the request is valid: the same for all of its keys and tokens. */
function readClaimedWallet(
  parts: GuardParts,
  request: FastifyRequest,
  access: GuardedAccess,
): string | InvalidCredential | Promise<string | InvalidCredential> {
  const { headers } = request;
  const isSigned = hasSignature(request);
  if (!takesSignature(request, access)) {
    if (headers.authorization === undefined) return missingToken(isSigned);
    return verifyRequestToken(request, parts.tokens).then((token) =>
      token.ok ? token.claims.walletAddress : invalidToken(token.reason),
    );
  }
  const signer = parts.verifier.readSigner(headers[apiKeyHeaderName], headers[signatureHeaderName]);
  if (!signer.ok) return invalidSignature(isSigned, signer.reason);
  return thenMaybe(
    parts.findKeyHolder(signer.fingerprint),
    (holder) => holder?.walletAddress ?? unknownKey(),
  );
}

/** Counts an invalid credential of the address, and throws the 401 or the 429. */
function rejectCredential(
  parts: GuardParts,
  request: FastifyRequest,
  access: GuardedAccess,
  invalid: InvalidCredential,
): Promise<never> {
  return thenMaybe(parts.limits.takeFailure(request.ip), () => {
    throw unauthorized(access, withClaimedKey(parts, request, invalid));
  });
}

type Authenticated = Caller | InvalidCredential | Promise<Caller | InvalidCredential>;

function authenticate(parts: GuardParts, request: FastifyRequest, access: GuardedAccess): Authenticated {
  if (takesSignature(request, access)) return authenticateSignature(parts, readSignedRequest(request));
  if (request.headers.authorization !== undefined) return authenticateToken(parts, request);
  return missingToken(hasSignature(request));
}

/** Authenticates a request from an address that has sent too many invalid credentials. */
async function authenticateSuspect(
  parts: GuardParts,
  suspects: SuspectQueue,
  request: FastifyRequest,
  access: GuardedAccess,
): Promise<Caller | InvalidCredential> {
  // A token takes less time to verify than its request took to read.
  if (!takesSignature(request, access)) return authenticate(parts, request, access);
  const signed = readSignedRequest(request, { explains: false });
  const recognized = parts.verifier.recognize(signed);
  if (recognized) return findSigner(parts, recognized);
  const signer = parts.verifier.readSigner(signed.apiKeyHeader, signed.signatureHeader);
  if (!signer.ok) return invalidSignature(hasSignature(request), signer.reason);
  const { fingerprint } = signer;
  const key = { fingerprint, isKnown: parts.isKnownKey(fingerprint) };
  const caller = await suspects.verify(request, key, () => authenticateSignature(parts, signed));
  return caller ?? invalidSignature(true, 'too many signatures of this address wait for verification');
}

function hasSignature({ headers }: FastifyRequest): boolean {
  return apiKeyHeaderName in headers || signatureHeaderName in headers;
}

/** Whether the signature of the request authenticates it, and not a token. */
function takesSignature(request: FastifyRequest, access: GuardedAccess): boolean {
  return access === 'credential' && (hasSignature(request) || request.headers.authorization === undefined);
}

function readSignedRequest(request: FastifyRequest, { explains = true } = {}): SignedRequest {
  const { method, headers } = request;
  const { query, url } = targetOf(request);
  const body = Buffer.isBuffer(request.body) ? request.body : null;
  return {
    apiKeyHeader: headers[apiKeyHeaderName],
    signatureHeader: headers[signatureHeaderName],
    request: {
      method,
      query,
      body,
      pathParameters: request.params as Record<string, string>,
    },
    target: body ? null : `${method} ${url}`,
    explains,
  };
}

function authenticateSignature(parts: GuardParts, signed: SignedRequest): Authenticated {
  const verified = parts.verifier.verifyRequestSignature(signed);
  if (verified.ok) return findSigner(parts, verified);
  const isSigned = signed.apiKeyHeader !== undefined || signed.signatureHeader !== undefined;
  return invalidSignature(isSigned, verified.reason);
}

/** Finds the holder who has signed a request. */
function findSigner(parts: GuardParts, verified: VerifiedRequest): Authenticated {
  return thenMaybe(parts.findKeyHolder(verified.fingerprint), (holder) => {
    if (!holder) {
      // Nothing is cached for a key that was revoked, or that anybody may have made up.
      parts.verifier.forget(verified);
      return unknownKey('the signature is valid, but ');
    }
    parts.recordKeyUse(holder.keyId);
    const { holderId, tokenId, walletAddress } = holder;
    return { scope: { role: 'holder', holderId, tokenId, walletAddress }, credential: holder.keyId };
  });
}

async function authenticateToken(
  parts: GuardParts,
  request: FastifyRequest,
): Promise<Caller | InvalidCredential> {
  const verified = await verifyRequestToken(request, parts.tokens);
  if (!verified.ok) return invalidToken(verified.reason);
  const { walletAddress, role } = verified.claims;
  if (role === 'administrator') {
    if (!parts.isAdministrator(walletAddress)) {
      return invalidToken('the wallet is no longer an administrator');
    }
    return { scope: { role: 'administrator', walletAddress }, credential: walletAddress };
  }
  const holder = await parts.findHolder(walletAddress);
  if (holder === null || holder.primaryTokenId === null) {
    throw new ApiError('DIGITAL_KEY_REQUIRED', { actor: { wallet: walletAddress } });
  }
  const scope = {
    role: 'holder',
    holderId: holder.id,
    tokenId: holder.primaryTokenId,
    walletAddress,
  } as const;
  return { scope, credential: walletAddress };
}

/** Adds the fingerprint of the key that the request names, for the security log. */
function withClaimedKey(
  { verifier }: GuardParts,
  { headers }: FastifyRequest,
  { code, scheme, reason }: InvalidCredential,
): CredentialRejection {
  const signer = verifier.readSigner(headers[apiKeyHeaderName], headers[signatureHeaderName]);
  return { code, scheme, reason, actor: signer.ok ? { keyFingerprint: signer.fingerprint } : {} };
}

function missingToken(isSigned: boolean): InvalidCredential {
  return new InvalidCredential(
    isSigned ? 'TOKEN_REQUIRED' : 'CREDENTIALS_MISSING',
    'Bearer',
    isSigned
      ? 'this route accepts only a JWT: sign in with the wallet and send Authorization: Bearer'
      : 'the authorization header is missing',
  );
}

function invalidSignature(isSigned: boolean, reason: string): InvalidCredential {
  return new InvalidCredential(isSigned ? 'SIGNATURE_INVALID' : 'CREDENTIALS_MISSING', 'Signature', reason);
}

/** The same reason for an unknown and a revoked key, so that nobody learns whether a key has ever existed. */
function unknownKey(prefix = ''): InvalidCredential {
  return new InvalidCredential(
    'API_KEY_UNKNOWN',
    'Signature',
    `${prefix}its key is not known here or was revoked`,
  );
}

function invalidToken(reason: string): InvalidCredential {
  return new InvalidCredential('TOKEN_INVALID', 'Bearer', reason);
}

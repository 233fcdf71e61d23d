import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { RateLimits } from '../rate-limit/rate-limits.ts';
import { thenMaybe } from '../then-maybe.ts';
import { type CredentialRefusal, refuseCredential, type Scheme } from './challenge.ts';
import type { Caller, Guard, GuardedAccess } from './guard.ts';
import { apiKeyHeaderName, type RequestVerifier, signatureHeaderName } from './signatures/verify-request.ts';
import type { Tokens } from './tokens.ts';

/** Whom a key acts for. */
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
  /** By the SHA-256 of the key, in hex; null when it is unknown or revoked. */
  readonly findKeyHolder: (fingerprint: string) => KeyHolder | null | Promise<KeyHolder | null>;
  readonly findHolder: (
    walletAddress: string,
  ) => Promise<{ readonly id: string; readonly primaryTokenId: number | null } | null>;
  readonly isAdministrator: (walletAddress: string) => boolean;
  readonly noteKeyUse: (keyId: string) => void;
}

class Refused implements CredentialRefusal {
  readonly code: CredentialRefusal['code'];
  readonly scheme: Scheme;
  readonly reason: string;

  constructor(code: CredentialRefusal['code'], scheme: Scheme, reason: string) {
    this.code = code;
    this.scheme = scheme;
    this.reason = reason;
  }
}

/** The guard of the service: signed requests and bearer tokens, counted and refused alike. */
export function createGuard(parts: GuardParts): Guard {
  const { limits } = parts;
  return (request, reply, access) => {
    // Before any arithmetic: whoever guesses is slowed down, and guessing costs him more than us.
    limits.checkFailures(request.ip);
    return thenMaybe(identify(parts, request, access), (caller) => {
      if (caller instanceof Refused) {
        return thenMaybe(limits.takeFailure(request.ip), () => {
          throw refuseCredential(access, caller);
        });
      }
      return thenMaybe(limits.takeCredential(caller.credential), (headers) => {
        reply.headers(headers);
        if (access === 'administrator' && caller.scope.role !== 'administrator') {
          throw new ApiError('ADMINISTRATOR_REQUIRED');
        }
        return caller;
      });
    });
  };
}

function identify(
  parts: GuardParts,
  request: FastifyRequest,
  access: GuardedAccess,
): Caller | Refused | Promise<Caller | Refused> {
  const isSigned = apiKeyHeaderName in request.headers || signatureHeaderName in request.headers;
  const { authorization } = request.headers;
  if (access === 'credential' && (isSigned || authorization === undefined))
    return identifySigned(parts, request);
  if (authorization !== undefined) return identifyBearer(parts, authorization);
  return new Refused(
    isSigned ? 'TOKEN_REQUIRED' : 'CREDENTIALS_MISSING',
    'Bearer',
    isSigned
      ? 'this route takes a JWT only: sign in with the wallet and send Authorization: Bearer'
      : 'the header authorization is missing',
  );
}

function identifySigned(
  parts: GuardParts,
  request: FastifyRequest,
): Caller | Refused | Promise<Caller | Refused> {
  const { method, headers, originalUrl } = request;
  const body = Buffer.isBuffer(request.body) ? request.body : null;
  const verified = parts.verifier.verifyRequestSignature({
    apiKeyHeader: headers[apiKeyHeaderName],
    signatureHeader: headers[signatureHeaderName],
    request: {
      method,
      query: queryOf(originalUrl),
      body,
      pathParameters: request.params as Record<string, string>,
    },
    address: body ? null : `${method} ${originalUrl}`,
  });
  if (!verified.ok) {
    const isMissing = !(apiKeyHeaderName in headers) && !(signatureHeaderName in headers);
    return new Refused(isMissing ? 'CREDENTIALS_MISSING' : 'SIGNATURE_INVALID', 'Signature', verified.reason);
  }
  return thenMaybe(parts.findKeyHolder(verified.fingerprint), (holder) => {
    if (!holder) {
      // Nothing is kept of a key that is gone, or that anybody may have made up.
      parts.verifier.forget(verified);
      // One sentence for both, so that nobody learns whether a key was ever here.
      return new Refused(
        'API_KEY_UNKNOWN',
        'Signature',
        'the signature is right, but its key is not known here or was revoked',
      );
    }
    parts.noteKeyUse(holder.keyId);
    const { holderId, tokenId, walletAddress } = holder;
    return { scope: { role: 'holder', holderId, tokenId, walletAddress }, credential: holder.keyId };
  });
}

async function identifyBearer(parts: GuardParts, authorization: string): Promise<Caller | Refused> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (token === undefined)
    return new Refused(
      'TOKEN_INVALID',
      'Bearer',
      'the header authorization must have the form Bearer <token>',
    );
  const verified = await parts.tokens.verify(token);
  if (!verified.ok) return new Refused('TOKEN_INVALID', 'Bearer', verified.reason);
  const { walletAddress, role } = verified.claims;
  if (role === 'administrator') {
    if (!parts.isAdministrator(walletAddress)) {
      return new Refused('TOKEN_INVALID', 'Bearer', 'the wallet is no longer that of an administrator');
    }
    return { scope: { role: 'administrator', walletAddress }, credential: walletAddress };
  }
  const holder = await parts.findHolder(walletAddress);
  if (holder === null || holder.primaryTokenId === null) {
    throw new ApiError('DIGITAL_KEY_REQUIRED');
  }
  const scope = {
    role: 'holder',
    holderId: holder.id,
    tokenId: holder.primaryTokenId,
    walletAddress,
  } as const;
  return { scope, credential: walletAddress };
}

function queryOf(url: string): string | null {
  const mark = url.indexOf('?');
  return mark === -1 ? null : url.slice(mark + 1);
}

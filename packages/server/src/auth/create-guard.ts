import { defaultBodyLimitBytes } from '@keyfront/protocol';
import { signatureHeaderName } from '@keyfront/signatures';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../lib/errors/api-error.ts';
import type { RateLimits } from '../limits/rates/rate-limits.ts';
import { hasBoundSignature } from './bound-form.ts';
import { callerOfCaused, findCause } from './caused-requests.ts';
import { type CredentialRejection, unauthorized } from './challenge.ts';
import { FailingAddressQueue } from './failing-address-queue.ts';
import type { Caller, Guard, GuardedAccess } from './guard.ts';
import { InvalidCredential, invalidSignature, invalidToken, missingToken } from './invalid-credential.ts';
import { findPolicyRejection } from './key-policy.ts';
import { nonceReasons } from './key-reasons.ts';
import { verifyRequestToken, verifyRequestTokenAgain } from './request-token.ts';
import type { Authenticated, KeyDirectory, SignatureForm } from './signature-form.ts';
import { hasSimpleSignature } from './simple-form.ts';
import type { Tokens, VerifiedToken } from './tokens.ts';

export interface GuardDependencies extends KeyDirectory {
  /** The two forms in which a request may be signed. */
  readonly simpleForm: SignatureForm;
  readonly boundForm: SignatureForm;
  readonly tokens: Tokens;
  readonly limits: RateLimits;
  readonly findHolder: (
    walletAddress: string,
  ) => Promise<{ readonly id: string; readonly primaryTokenId: number | null } | null>;
  readonly isAdministrator: (walletAddress: string) => boolean;
  /** Whether the session of a token lives, as of now. */
  readonly isSessionLive: (sessionId: string) => boolean | Promise<boolean>;
}

/** The guard of the service: authenticates signed requests and bearer tokens, and applies the rate limits to both. */
export function createGuard(dependencies: GuardDependencies): Guard {
  const { limits } = dependencies;
  const failingAddresses = new FailingAddressQueue();
  const guard: Guard = async (called, reply, access) => {
    const request = findCause(called);
    const failureRejection = limits.findFailureRejection(request.ip);
    const caller = await (failureRejection
      ? authenticateFailingAddress(dependencies, failingAddresses, request, access)
      : authenticate(dependencies, request, access));
    if (caller instanceof InvalidCredential) {
      if (failureRejection) throw failureRejection;
      return rejectCredential(dependencies, request, access, caller);
    }
    called.caller = called === request ? caller : callerOfCaused(caller, called);
    // A request that another one has caused was counted with it.
    if (called === request) reply.headers(await limits.takeCredential(caller.credentialId));
    if (access === 'administrator' && caller.scope.role !== 'administrator') {
      throw new ApiError('ADMINISTRATOR_REQUIRED');
    }
    return called.caller;
  };
  return Object.assign(guard, {
    checkHeaders: createHeaderCheck(dependencies),
    reauthenticate: (request: FastifyRequest, access: GuardedAccess, caller: Caller) =>
      reauthenticate(dependencies, findCause(request), access, caller),
    rejectNonce: (request: FastifyRequest, access: GuardedAccess, cause: 'repeated' | 'expired') =>
      rejectCredential(dependencies, findCause(request), access, nonceRejections[cause]),
  });
}

const nonceRejections = {
  repeated: invalidSignature({ code: 'SIGNATURE_INVALID', reason: nonceReasons.repeated() }),
  expired: invalidSignature({ code: 'SIGNATURE_INVALID', reason: nonceReasons.expired() }),
};

/** A larger body is not hashed for an address that has sent too many invalid credentials. */
const maxFailingAddressBodyBytes = defaultBodyLimitBytes;

/** Rejects a request before its body is read if its headers alone show that the credential is not valid. */
function createHeaderCheck(dependencies: GuardDependencies): NonNullable<Guard['checkHeaders']> {
  return async (called, access) => {
    const request = findCause(called);
    const claimed = await readClaimedOwner(dependencies, request, access);
    return claimed instanceof InvalidCredential
      ? rejectCredential(dependencies, request, access, claimed)
      : claimed;
  };
}

/**
 * Who calls if the rest of the request is valid: the wallet, which is the same for all of its keys and tokens. The name of a key that
 * is not cached stands for itself: whether it is known is not looked up before its signature can be verified.
 */
async function readClaimedOwner(
  dependencies: GuardDependencies,
  request: FastifyRequest,
  access: GuardedAccess,
): Promise<string | InvalidCredential> {
  const form = findForm(dependencies, request, access);
  if (!form) {
    if (request.headers.authorization === undefined) return missingToken(hasSignature(request));
    const token = await verifyRequestToken(request, dependencies.tokens);
    if (!token.ok) return invalidToken(token.reason);
    const { walletAddress, sessionId } = token.claims;
    return (await dependencies.isSessionLive(sessionId)) ? walletAddress : endedSession;
  }
  const signer = form.readSigner(request);
  if (!signer.ok) return invalidSignature(signer);
  if (Number(request.headers['content-length']) > maxFailingAddressBodyBytes) {
    const failureRejection = dependencies.limits.findFailureRejection(request.ip);
    if (failureRejection) throw failureRejection;
  }
  return dependencies.findCachedKeyHolder(signer.keyName)?.walletAddress ?? signer.keyName;
}

/** Counts an invalid credential of the address, and throws the 401 or the 429. Only what was counted is explained. */
async function rejectCredential(
  dependencies: GuardDependencies,
  request: FastifyRequest,
  access: GuardedAccess,
  invalid: InvalidCredential,
): Promise<never> {
  await dependencies.limits.takeFailure(request.ip);
  throw unauthorized(access, withClaimedKey(dependencies, request, invalid.explain?.() ?? invalid));
}

async function authenticate(
  dependencies: GuardDependencies,
  request: FastifyRequest,
  access: GuardedAccess,
): Authenticated {
  const form = findForm(dependencies, request, access);
  if (form) return form.authenticate(request, { parsesBody: true });
  if (request.headers.authorization !== undefined) {
    return authenticateToken(dependencies, access, verifyRequestToken(request, dependencies.tokens));
  }
  return missingToken(hasSignature(request));
}

async function reauthenticate(
  dependencies: GuardDependencies,
  request: FastifyRequest,
  access: GuardedAccess,
  caller: Caller,
): Promise<Caller | null> {
  try {
    const form = findForm(dependencies, request, access);
    if (form)
      return await findSignerAgain(dependencies, caller, {
        isBound: form === dependencies.boundForm,
        address: request.ip,
      });
    const again = await authenticateToken(
      dependencies,
      access,
      verifyRequestTokenAgain(request, dependencies.tokens),
    );
    return again instanceof InvalidCredential || !actsForSame(again, caller) ? null : again;
  } catch (error) {
    // The 403 of a wallet without a digital key, or of an address that the key does not allow.
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  }
}

async function findSignerAgain(
  dependencies: GuardDependencies,
  { scope, credentialId: keyId }: Caller,
  request: { readonly isBound: boolean; readonly address: string },
): Promise<Caller | null> {
  const holder = await dependencies.findKeyHolder(keyId);
  if (!holder || findPolicyRejection(holder.policy, { ...request, keyId })) return null;
  return { scope, credentialId: keyId, keyScopes: holder.policy.scopes };
}

/** A wallet may have made another digital key its primary one. */
function actsForSame({ scope: now }: Caller, { scope: before }: Caller): boolean {
  if (now.role !== 'holder' || before.role !== 'holder') return now.role === before.role;
  return now.holderId === before.holderId && now.tokenId === before.tokenId;
}

/** Authenticates a request from an address that has sent too many invalid credentials. */
async function authenticateFailingAddress(
  dependencies: GuardDependencies,
  failingAddresses: FailingAddressQueue,
  request: FastifyRequest,
  access: GuardedAccess,
): Promise<Caller | InvalidCredential> {
  const form = findForm(dependencies, request, access);
  // A token takes less time to verify than its request took to read.
  if (!form) return authenticate(dependencies, request, access);
  if (Buffer.isBuffer(request.body) && request.body.length > maxFailingAddressBodyBytes)
    return tooManyFailures;
  const verify = () => form.authenticate(request, { parsesBody: false });
  if (form.isRecognized(request)) return verify();
  const signer = form.readSigner(request);
  if (!signer.ok) return invalidSignature(signer);
  const { keyName } = signer;
  const key = { fingerprint: keyName, isKnown: dependencies.isKnownKey(keyName) };
  const caller = await failingAddresses.verify(request, key, verify);
  return caller ?? tooManyFailures;
}

/** Only a 429 tells of it. */
const tooManyFailures = invalidSignature({
  code: 'SIGNATURE_INVALID',
  reason: 'this address has sent too many invalid credentials',
});

function hasSignature(request: FastifyRequest): boolean {
  return hasSimpleSignature(request) || hasBoundSignature(request);
}

const bearerScheme = /^Bearer(?: |$)/i;

/**
 * The form of the signature that authenticates the request; null if a token does. `x-auth-signature` comes first and a foreign
 * `Signature-Input` last, because a proxy may add the latter to every request.
 */
function findForm(
  { simpleForm, boundForm }: GuardDependencies,
  request: FastifyRequest,
  access: GuardedAccess,
): SignatureForm | null {
  if (access !== 'credential') return null;
  if (signatureHeaderName in request.headers) return simpleForm;
  const { authorization } = request.headers;
  if (hasSimpleSignature(request) || authorization === undefined) {
    return hasBoundSignature(request) ? boundForm : simpleForm;
  }
  // Another scheme, such as Basic, is that of a proxy.
  return hasBoundSignature(request) && !bearerScheme.test(authorization) ? boundForm : null;
}

async function authenticateToken(
  dependencies: GuardDependencies,
  access: GuardedAccess,
  verifying: Promise<VerifiedToken>,
): Promise<Caller | InvalidCredential> {
  const verified = await verifying;
  if (!verified.ok) return invalidToken(verified.reason);
  const { walletAddress, role, sessionId } = verified.claims;
  if (access === 'session') {
    if (!(await dependencies.isSessionLive(sessionId))) return endedSession;
    return { scope: { role: 'wallet', walletAddress, sessionId }, credentialId: walletAddress };
  }
  if (role === 'administrator') {
    if (!(await dependencies.isSessionLive(sessionId))) return endedSession;
    if (!dependencies.isAdministrator(walletAddress)) {
      return invalidToken('the wallet is no longer an administrator');
    }
    return { scope: { role: 'administrator', walletAddress, sessionId }, credentialId: walletAddress };
  }
  const [isLive, holder] = await Promise.all([
    dependencies.isSessionLive(sessionId),
    dependencies.findHolder(walletAddress),
  ]);
  if (!isLive) return endedSession;
  if (holder === null || holder.primaryTokenId === null) {
    throw new ApiError('DIGITAL_KEY_REQUIRED', { actor: { wallet: walletAddress } });
  }
  const scope = {
    role: 'holder',
    holderId: holder.id,
    tokenId: holder.primaryTokenId,
    walletAddress,
    sessionId,
  } as const;
  return { scope, credentialId: walletAddress };
}

const endedSession = invalidToken('the session of the token has ended: sign in again');

const fingerprintForm = /^[0-9a-f]{64}$/;

/** Adds the key that the request names, for the security log. */
function withClaimedKey(
  { simpleForm, boundForm }: GuardDependencies,
  request: FastifyRequest,
  { code, scheme, reason }: InvalidCredential,
): CredentialRejection {
  const isBound = !(signatureHeaderName in request.headers) && hasBoundSignature(request);
  const signer = (isBound ? boundForm : simpleForm).readSigner(request);
  if (!signer.ok) return { code, scheme, reason, actor: {} };
  const { keyName } = signer;
  const actor = fingerprintForm.test(keyName) ? { keyFingerprint: keyName } : { keyId: keyName };
  return { code, scheme, reason, actor };
}

import { generateKeyPairSync, hash } from 'node:crypto';
import { needsNonce, signatureToleranceSeconds } from '@keyfront/protocol';
import {
  apiKeyHeaderName,
  type BoundRequest,
  type BoundVerifier,
  boundSignatureHeaderName,
  type PublicKeyCache,
  type SignatureInput,
  signatureInputHeaderName,
} from '@keyfront/signatures';
import type { FastifyRequest } from 'fastify';
import { RequestNonce } from '../database/transactions/request-nonce.ts';
import { hasBody } from '../lib/request/has-body.ts';
import { targetOf } from '../lib/request/request-target.ts';
import { invalidSignature } from './invalid-credential.ts';
import { findPolicyRejection } from './key-policy.ts';
import { keyReasons } from './key-reasons.ts';
import { addressOf, type PublicAddress } from './request-address.ts';
import type { KeyDirectory, KeyHolder, SignatureForm } from './signature-form.ts';

export interface BoundFormDependencies {
  readonly verifier: BoundVerifier;
  readonly publicKeys: PublicKeyCache;
  /** Null: callers reach the service at the address in their `Host`. */
  readonly publicAddress: PublicAddress | null;
}

/**
 * Stands in for the key of an unknown or revoked `keyid`, so that its requests take as long and are refused with the same words
 * as those with a wrong signature. Nobody has its private key.
 */
function createDecoyKey(): Buffer {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** The form of RFC 9421, with `Signature-Input` and `Signature`. */
export function createBoundForm(dependencies: BoundFormDependencies, keys: KeyDirectory): SignatureForm {
  const { verifier, publicKeys } = dependencies;
  const decoyKey = createDecoyKey();

  /** Whether `x-auth-apikey`, if it is sent, is the key of this fingerprint. */
  const agrees = ({ headers }: FastifyRequest, fingerprint: string): boolean => {
    const header = headers[apiKeyHeaderName];
    if (header === undefined) return true;
    const parsed = typeof header === 'string' ? publicKeys.parse(header) : null;
    return parsed?.ok === true && parsed.key.fingerprint === fingerprint;
  };

  return {
    readSigner(request) {
      const claim = verifier.readClaim(readBoundRequest(request, dependencies.publicAddress));
      return claim.ok ? { ok: true, keyName: claim.input.keyid } : claim;
    },
    isRecognized(request) {
      const claim = verifier.readClaim(readBoundRequest(request, dependencies.publicAddress));
      return claim.ok && claim.verifiedWith !== null;
    },
    async authenticate(request) {
      const bound = readBoundRequest(request, dependencies.publicAddress);
      const claim = verifier.readClaim(bound);
      if (!claim.ok) return invalidSignature(claim);
      const { keyid } = claim.input;
      const found = keys.findKeyHolder(keyid);
      const holder = await found;
      const body = Buffer.isBuffer(request.body) ? request.body : null;
      const verified = verifier.verify(bound, claim, holder?.publicKey ?? decoyKey, body);
      if (!verified.ok) {
        const invalid = invalidSignature(verified);
        // An unknown key is never cached. That of a known one is looked up as well, or the time would tell them apart.
        if (!(found instanceof Promise)) await keys.readKeyHolder(keyid);
        return invalid;
      }
      if (!holder) throw new Error('A signature of the decoy key is valid');
      if (!agrees(request, verified.key.fingerprint)) {
        return invalidSignature({ code: 'SIGNATURE_INVALID', reason: keyReasons.otherApiKey() });
      }
      const { keyId, holderId, tokenId, walletAddress, policy } = holder;
      const rejection = findPolicyRejection(policy, { isBound: true, address: request.ip, keyId });
      if (rejection) return rejection;
      keys.recordKeyUse(keyId);
      const scope = { role: 'holder', holderId, tokenId, walletAddress } as const;
      const nonce = readNonce(request.method, claim.input, holder);
      const caller = {
        scope: nonce ? { ...scope, nonce } : scope,
        credentialId: keyId,
        keyScopes: policy.scopes,
      };
      const { expires } = claim.input;
      // The second in `expires` is the last one in which the signature is accepted.
      return expires === null ? caller : { ...caller, signatureEndsAtMs: (expires + 1) * 1_000 };
    },
  };
}

/** Whether a request is signed in this form, or would be with `Signature-Input`. */
export function hasBoundSignature({ headers }: FastifyRequest): boolean {
  if (signatureInputHeaderName in headers) return true;
  const signature = readHeader(headers[boundSignatureHeaderName]);
  // Other programs use this header in other forms.
  return signature !== undefined && /^[a-z*][a-z0-9_.*-]*=:[^:]*:/.test(signature);
}

function readBoundRequest(request: FastifyRequest, publicAddress: PublicAddress | null): BoundRequest {
  const { method, protocol, raw, headers } = request;
  return {
    inputHeader: readHeader(headers[signatureInputHeaderName]),
    signatureHeader: readHeader(headers[boundSignatureHeaderName]),
    method,
    address: addressOf(targetOf(request), { protocol, host: headers.host }, publicAddress),
    rawHeaders: raw.rawHeaders,
    hasBody: needsNonce(method) && hasBody(request),
  };
}

function readHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * Until when the database keeps the nonce, by its own clock. It stores none that has expired already, so a signature is never accepted
 * after its nonce was deleted, whatever the clock of this process says. Twice the tolerance, because a process knows the clock of
 * the database only roughly.
 */
function readNonce(
  method: string,
  { nonce, created }: SignatureInput,
  { keyId, holderId }: KeyHolder,
): RequestNonce | null {
  if (nonce === null || !needsNonce(method)) return null;
  const expiresAt = new Date((created + 2 * signatureToleranceSeconds) * 1_000);
  return new RequestNonce({ keyId, holderId, hash: hash('sha256', nonce, 'buffer'), expiresAt });
}

import {
  apiKeyHeaderName,
  type SimpleClaim,
  type SimpleRequest,
  type SimpleVerifier,
  signatureHeaderName,
  urlOf,
} from '@keyfront/signatures';
import type { FastifyRequest } from 'fastify';
import { targetOf } from '../lib/request/request-target.ts';
import { invalidSignature, unknownKey } from './invalid-credential.ts';
import { findPolicyRejection } from './key-policy.ts';
import { addressOf, type PublicAddress } from './request-address.ts';
import type { Authenticated, KeyDirectory, SignatureForm } from './signature-form.ts';

/** The form with `x-auth-apikey` and `x-auth-signature`, whose signature covers the body or the query. */
export function createSimpleForm(
  verifier: SimpleVerifier,
  keys: KeyDirectory,
  publicAddress: PublicAddress | null,
): SignatureForm {
  /** Finds the holder who has signed a request. */
  const findSigner = async (request: FastifyRequest, verified: SimpleClaim): Authenticated => {
    const holder = await keys.findKeyHolder(verified.key.fingerprint);
    if (!holder) {
      // Nothing is cached for a key that was revoked, or that anybody may have made up.
      verifier.forget(verified);
      return unknownKey();
    }
    const { keyId, holderId, tokenId, walletAddress, policy } = holder;
    const rejection = findPolicyRejection(policy, { isBound: false, address: request.ip, keyId });
    if (rejection) return rejection;
    keys.recordKeyUse(keyId);
    const scope = { role: 'holder', holderId, tokenId, walletAddress } as const;
    return { scope, credentialId: keyId, keyScopes: policy.scopes };
  };

  return {
    readSigner({ headers }) {
      const claim = verifier.readClaim({
        apiKeyHeader: headers[apiKeyHeaderName],
        signatureHeader: headers[signatureHeaderName],
      });
      return claim.ok ? { ok: true, keyName: claim.key.fingerprint } : claim;
    },
    isRecognized: (request) => verifier.isVerified(readSimpleRequest(request, false, publicAddress)),
    async authenticate(request, { parsesBody }) {
      const verified = verifier.verify(readSimpleRequest(request, parsesBody, publicAddress));
      return verified.ok ? findSigner(request, verified) : invalidSignature(verified);
    },
  };
}

/** Whether a request has one of the headers of this form. */
export function hasSimpleSignature({ headers }: FastifyRequest): boolean {
  return apiKeyHeaderName in headers || signatureHeaderName in headers;
}

function readSimpleRequest(
  request: FastifyRequest,
  parsesBody: boolean,
  publicAddress: PublicAddress | null,
): SimpleRequest {
  const { method, headers, protocol } = request;
  const target = targetOf(request);
  const { query } = target;
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
    target: body ? null : `${method} ${target.url}`,
    parsesBody,
    url: () => urlOf(addressOf(target, { protocol, host: headers.host }, publicAddress)),
  };
}

import type { FastifyRequest } from 'fastify';
import { targetOf } from '../lib/request/request-target.ts';
import { thenMaybe } from '../lib/then-maybe.ts';
import { addressOf, type PublicAddress, urlOf } from './bound-signatures/request-components.ts';
import { invalidSignature, unknownKey } from './invalid-credential.ts';
import { findPolicyRejection } from './key-policy.ts';
import type { Authenticated, KeyDirectory, SignatureForm } from './signature-form.ts';
import {
  apiKeyHeaderName,
  type RequestVerifier,
  type SignedRequest,
  signatureHeaderName,
  type VerifiedRequest,
} from './signatures/verify-request.ts';

/** The form with `x-auth-apikey` and `x-auth-signature`, whose signature covers the body or the query. */
export function createSimpleForm(
  verifier: RequestVerifier,
  keys: KeyDirectory,
  publicAddress: PublicAddress | null,
): SignatureForm {
  /** Finds the holder who has signed a request. */
  const findSigner = (request: FastifyRequest, verified: VerifiedRequest): Authenticated =>
    thenMaybe(keys.findKeyHolder(verified.fingerprint), (holder) => {
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
    });

  return {
    readSigner({ headers }) {
      const signer = verifier.readSigner(headers[apiKeyHeaderName], headers[signatureHeaderName]);
      return signer.ok ? { ok: true, keyName: signer.fingerprint } : signer;
    },
    isRecognized: (request) => verifier.recognize(readSignedRequest(request, false, publicAddress)) !== null,
    authenticate(request, { parsesBody }) {
      const signed = readSignedRequest(request, parsesBody, publicAddress);
      const verified = verifier.verifyRequestSignature(signed);
      return verified.ok ? findSigner(request, verified) : invalidSignature(verified);
    },
  };
}

/** Whether a request has one of the headers of this form. */
export function hasSimpleSignature({ headers }: FastifyRequest): boolean {
  return apiKeyHeaderName in headers || signatureHeaderName in headers;
}

function readSignedRequest(
  request: FastifyRequest,
  parsesBody: boolean,
  publicAddress: PublicAddress | null,
): SignedRequest {
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

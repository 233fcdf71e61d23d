import { acceptedPayloads, payloadMismatch, type RequestToSign, signedPayload } from '@keyfront/protocol';
import { type Rejection, reject } from '../rejection.ts';
import { describePayload } from './describe-payload.ts';
import { HashedPayload } from './hashed-payload.ts';
import { readHeaderText } from './header-text.ts';
import { loadLibsecp256k1Verifier } from './libsecp256k1-verifier.ts';
import { createNodeCryptoVerifier } from './node-crypto-verifier.ts';
import type { PublicKey } from './public-key.ts';
import { PublicKeyCache } from './public-key-cache.ts';
import { parseSignature } from './signature-value.ts';
import { listSigningMistakes } from './signing-mistakes.ts';
import { VerifiedSignatureCache } from './verified-signature-cache.ts';
import type { SignatureVerifier } from './verifier.ts';

export const apiKeyHeaderName = 'x-auth-apikey';
export const signatureHeaderName = 'x-auth-signature';

export interface SignedRequest {
  readonly apiKeyHeader: string | readonly string[] | undefined;
  readonly signatureHeader: string | readonly string[] | undefined;
  readonly request: RequestToSign;
  /**
   * Method and URL of a request without a body. They determine its payload, so a repeated request is recognised by them.
   * Null if there is a body.
   */
  readonly target?: string | null;
  /** Whether a wrong signature is compared with common mistakes, which takes several verifications. The default is true. */
  readonly explains?: boolean;
}

export interface VerifiedRequest {
  readonly ok: true;
  readonly key: PublicKey;
  /** SHA-256 of the key's DER in hex. */
  readonly fingerprint: string;
  /** The signature as it was sent. */
  readonly signatureText: string;
}

export interface RequestVerifier {
  /** The name of the library that verifies. */
  readonly verifierName: string;
  /** How many signatures that library has verified. */
  readonly curveVerifications: number;
  /**
   * Verifies that a request was signed with the key in its headers. Whether the service knows that key is checked by the
   * caller: it has no influence here, so neither the duration nor the reason reveals it.
   */
  verifyRequestSignature(signed: SignedRequest): VerifiedRequest | Rejection;
  /** Returns a request whose signature has been verified before; null if it would have to be verified now. */
  recognize(signed: SignedRequest): VerifiedRequest | null;
  /** Reads who claims to have signed a request. Verifies only the form of the headers, without the payload. */
  readSigner(
    apiKeyHeader: SignedRequest['apiKeyHeader'],
    signatureHeader: SignedRequest['signatureHeader'],
  ): { readonly ok: true; readonly fingerprint: string } | Rejection;
  /** Removes a request from the cache. */
  forget(request: VerifiedRequest): void;
}

export interface RequestVerifierOptions {
  /** The default is the fastest verifier that runs on this platform. */
  readonly verifier?: SignatureVerifier;
  readonly publicKeys?: PublicKeyCache;
  readonly verifiedSignatures?: VerifiedSignatureCache;
}

export function createRequestVerifier({
  verifier = loadLibsecp256k1Verifier() ?? createNodeCryptoVerifier(),
  publicKeys = new PublicKeyCache(),
  verifiedSignatures = new VerifiedSignatureCache(),
}: RequestVerifierOptions = {}): RequestVerifier {
  let curveVerifications = 0;

  function verifyOnCurve(payload: HashedPayload, signature: Uint8Array, key: PublicKey): boolean {
    curveVerifications++;
    return verifier.verify(payload, signature, key);
  }

  function isCached({ request, target }: SignedRequest, signatureText: string, key: PublicKey): boolean {
    const verified = verifiedSignatures.find(key.fingerprint, signatureText);
    if (!verified) return false;
    if (target && verified.target === target) return true;
    for (const bytes of acceptedPayloads(request)) {
      if (new HashedPayload(bytes).name === verified.payloadName) return true;
    }
    return false;
  }

  function isValid(
    { request, target = null }: SignedRequest,
    signatureText: string,
    signature: Uint8Array,
    key: PublicKey,
  ): boolean {
    for (const bytes of acceptedPayloads(request)) {
      const payload = new HashedPayload(bytes);
      if (!verifyOnCurve(payload, signature, key)) continue;
      const { fingerprint } = key;
      verifiedSignatures.add(signatureText, { fingerprint, payloadName: payload.name, target });
      return true;
    }
    return false;
  }

  function explainMismatch(request: RequestToSign, signature: Uint8Array, key: PublicKey): Rejection {
    const mistake = listSigningMistakes(request).find(({ payload }) =>
      verifyOnCurve(new HashedPayload(Buffer.from(payload)), signature, key),
    );
    const hint = mistake ? `; ${mistake.hint}` : '';
    const derived = describePayload(new HashedPayload(signedPayload(request)));
    return reject(`${signatureHeaderName} ${payloadMismatch}: ${derived}${hint}`);
  }

  function rejectMismatch(
    { request, explains = true }: SignedRequest,
    signature: Uint8Array,
    key: PublicKey,
  ) {
    return explains
      ? explainMismatch(request, signature, key)
      : reject(`${signatureHeaderName} ${payloadMismatch}`);
  }

  return {
    verifierName: verifier.name,
    get curveVerifications() {
      return curveVerifications;
    },
    verifyRequestSignature(signed) {
      const headers = readHeaders(signed.apiKeyHeader, signed.signatureHeader);
      if (!headers.ok) return headers;
      const parsedKey = publicKeys.parse(headers.apiKey);
      if (!parsedKey.ok) return reject(`${apiKeyHeaderName} ${parsedKey.reason}`);
      const { key } = parsedKey;
      const signatureText = headers.signature;
      const accepted = { ok: true, key, fingerprint: key.fingerprint, signatureText } as const;
      if (isCached(signed, signatureText, key)) return accepted;
      const parsedSignature = parseSignature(signatureText);
      if (!parsedSignature.ok) return reject(`${signatureHeaderName} ${parsedSignature.reason}`);
      const { signature } = parsedSignature;
      return isValid(signed, signatureText, signature, key)
        ? accepted
        : rejectMismatch(signed, signature, key);
    },
    recognize(signed) {
      const headers = readHeaders(signed.apiKeyHeader, signed.signatureHeader);
      if (!headers.ok) return null;
      const parsedKey = publicKeys.parse(headers.apiKey);
      if (!parsedKey.ok || !isCached(signed, headers.signature, parsedKey.key)) return null;
      const { key } = parsedKey;
      return { ok: true, key, fingerprint: key.fingerprint, signatureText: headers.signature };
    },
    readSigner(apiKeyHeader, signatureHeader) {
      const headers = readHeaders(apiKeyHeader, signatureHeader);
      if (!headers.ok) return headers;
      const parsedKey = publicKeys.parse(headers.apiKey);
      if (!parsedKey.ok) return reject(`${apiKeyHeaderName} ${parsedKey.reason}`);
      const { fingerprint } = parsedKey.key;
      if (verifiedSignatures.find(fingerprint, headers.signature)) return { ok: true, fingerprint };
      const parsedSignature = parseSignature(headers.signature);
      if (!parsedSignature.ok) return reject(`${signatureHeaderName} ${parsedSignature.reason}`);
      return { ok: true, fingerprint };
    },
    forget: ({ signatureText }) => verifiedSignatures.delete(signatureText),
  };
}

function readHeaders(
  apiKeyHeader: SignedRequest['apiKeyHeader'],
  signatureHeader: SignedRequest['signatureHeader'],
): { readonly ok: true; readonly apiKey: string; readonly signature: string } | Rejection {
  const apiKey = readHeaderText(apiKeyHeaderName, apiKeyHeader);
  const signature = readHeaderText(signatureHeaderName, signatureHeader);
  if (apiKey.ok && signature.ok) return { ok: true, apiKey: apiKey.text, signature: signature.text };
  return reject([apiKey, signature].flatMap((header) => (header.ok ? [] : [header.reason])).join('; '));
}

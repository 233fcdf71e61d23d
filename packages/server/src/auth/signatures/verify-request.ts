import { acceptedPayloads, payloadMismatch, type RequestToSign, signedPayload } from '@keyfront/protocol';
import { type Rejection, reject } from '../rejection.ts';
import { describePayload } from './describe-payload.ts';
import { HashedPayload } from './hashed-payload.ts';
import { readHeaderText } from './header-text.ts';
import { loadLibsecp256k1Verifier } from './libsecp256k1-verifier.ts';
import { createNodeCryptoVerifier } from './node-crypto-verifier.ts';
import type { PublicKey } from './public-key.ts';
import { PublicKeyCache } from './public-key-cache.ts';
import { parseSignature, type SignatureResult } from './signature-value.ts';
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

/** The same fields before the signature is verified. */
type UnverifiedRequest = VerifiedRequest;

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

/** Creates the fastest verifier that runs on this platform. */
export function createSignatureVerifier(): SignatureVerifier {
  return loadLibsecp256k1Verifier() ?? createNodeCryptoVerifier();
}

export function createRequestVerifier({
  verifier = createSignatureVerifier(),
  publicKeys = new PublicKeyCache(),
  verifiedSignatures = new VerifiedSignatureCache(),
}: RequestVerifierOptions = {}): RequestVerifier {
  let curveVerifications = 0;

  /** Reads the key and the text of the signature. Verifies nothing but the form of the key. */
  function readClaim(
    apiKeyHeader: SignedRequest['apiKeyHeader'],
    signatureHeader: SignedRequest['signatureHeader'],
  ): UnverifiedRequest | Rejection {
    const headers = readHeaders(apiKeyHeader, signatureHeader);
    if (!headers.ok) return headers;
    const parsed = publicKeys.parse(headers.apiKey);
    if (!parsed.ok) return reject(`${apiKeyHeaderName} ${parsed.reason}`);
    const { key } = parsed;
    return { ok: true, key, fingerprint: key.fingerprint, signatureText: headers.signature };
  }

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
      const claimed = readClaim(signed.apiKeyHeader, signed.signatureHeader);
      if (!claimed.ok) return claimed;
      const { key, signatureText } = claimed;
      if (isCached(signed, signatureText, key)) return claimed;
      const parsed = readSignature(signatureText);
      if (!parsed.ok) return parsed;
      return isValid(signed, signatureText, parsed.signature, key)
        ? claimed
        : rejectMismatch(signed, parsed.signature, key);
    },
    recognize(signed) {
      const claimed = readClaim(signed.apiKeyHeader, signed.signatureHeader);
      return claimed.ok && isCached(signed, claimed.signatureText, claimed.key) ? claimed : null;
    },
    readSigner(apiKeyHeader, signatureHeader) {
      const claimed = readClaim(apiKeyHeader, signatureHeader);
      if (!claimed.ok) return claimed;
      const { fingerprint, signatureText } = claimed;
      if (verifiedSignatures.find(fingerprint, signatureText)) return { ok: true, fingerprint };
      const parsed = readSignature(signatureText);
      return parsed.ok ? { ok: true, fingerprint } : parsed;
    },
    forget: ({ signatureText }) => verifiedSignatures.delete(signatureText),
  };
}

function readSignature(text: string): SignatureResult {
  const parsed = parseSignature(text);
  return parsed.ok ? parsed : reject(`${signatureHeaderName} ${parsed.reason}`);
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

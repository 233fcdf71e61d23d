import {
  acceptedPayloads,
  payloadMismatch,
  type RequestToSign,
  signatureIssues,
  signedPayload,
} from '@keyfront/protocol';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { rejectSignature, type SignatureRejection } from '../../lib/errors/rejection.ts';
import { describePayload } from './describe-payload.ts';
import { findSigningMistake } from './find-signing-mistake.ts';
import { HashedPayload } from './hashed-payload.ts';
import { readHeaderText } from './header-text.ts';
import { loadLibsecp256k1Verifier } from './libsecp256k1-verifier.ts';
import { createNodeCryptoVerifier } from './node-crypto-verifier.ts';
import type { PublicKey } from './public-key.ts';
import { PublicKeyCache } from './public-key-cache.ts';
import { parseSignature, type SignatureResult } from './signature-value.ts';
import { type VerifiedSignature, VerifiedSignatureCache } from './verified-signature-cache.ts';
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
  /** Makes the URL as the caller sees it, for the explanation of a mistake. */
  readonly url?: () => string;
  /** Whether the body may be parsed if its bytes are not what was signed. The default is true. */
  readonly parsesBody?: boolean;
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
  verifyRequestSignature(signed: SignedRequest): VerifiedRequest | SignatureRejection;
  /** Returns a request whose signature has been verified before; null if it would have to be verified now. */
  recognize(signed: SignedRequest): VerifiedRequest | null;
  /** Reads who claims to have signed a request. Verifies only the form of the headers, without the payload. */
  readSigner(
    apiKeyHeader: SignedRequest['apiKeyHeader'],
    signatureHeader: SignedRequest['signatureHeader'],
  ): { readonly ok: true; readonly fingerprint: string } | SignatureRejection;
  /** Removes a request from the cache. */
  forget(request: VerifiedRequest): void;
}

export interface RequestVerifierOptions {
  /** The default is the fastest verifier that runs on this platform. */
  readonly verifier?: SignatureVerifier;
  readonly publicKeys?: PublicKeyCache;
  readonly verifiedSignatures?: VerifiedSignatureCache;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** The mistake in a wrong signature is searched for at most once in this time for each key: it takes many verifications. */
const searchEveryMs = 1_000;
const maxSearchedKeys = 10_000;

/** Creates the fastest verifier that runs on this platform. */
export function createSignatureVerifier(): SignatureVerifier {
  return loadLibsecp256k1Verifier() ?? createNodeCryptoVerifier();
}

export function createRequestVerifier({
  verifier = createSignatureVerifier(),
  publicKeys = new PublicKeyCache(),
  verifiedSignatures = new VerifiedSignatureCache(),
  now = () => performance.now(),
}: RequestVerifierOptions = {}): RequestVerifier {
  let curveVerifications = 0;
  const searchedAt = new BoundedMap<number>(maxSearchedKeys);

  /** Reads the key and the text of the signature. Verifies nothing but the form of the key. */
  function readClaim(
    apiKeyHeader: SignedRequest['apiKeyHeader'],
    signatureHeader: SignedRequest['signatureHeader'],
  ): UnverifiedRequest | SignatureRejection {
    const headers = readHeaders(apiKeyHeader, signatureHeader);
    if (!headers.ok) return headers;
    const parsed = publicKeys.parse(headers.apiKey);
    if (!parsed.ok) return rejectSignature('API_KEY_MALFORMED', `${apiKeyHeaderName} ${parsed.reason}`);
    const { key } = parsed;
    return { ok: true, key, fingerprint: key.fingerprint, signatureText: headers.signature };
  }

  function verifyOnCurve(payload: HashedPayload, signature: Uint8Array, key: PublicKey): boolean {
    curveVerifications++;
    return verifier.verify(payload, signature, key);
  }

  /** Whether a request has the payload that this signature was verified with. A signature is valid for no other one. */
  function hasPayloadOf(
    verified: VerifiedSignature,
    { request, target, parsesBody }: SignedRequest,
  ): boolean {
    if (target && verified.target === target) return true;
    for (const bytes of acceptedPayloads(request, { parsesBody })) {
      if (new HashedPayload(bytes).name === verified.payloadName) return true;
    }
    return false;
  }

  function isValid(
    { request, target = null, parsesBody }: SignedRequest,
    signatureText: string,
    signature: Uint8Array,
    key: PublicKey,
  ): boolean {
    for (const bytes of acceptedPayloads(request, { parsesBody })) {
      const payload = new HashedPayload(bytes);
      if (!verifyOnCurve(payload, signature, key)) continue;
      const { fingerprint } = key;
      verifiedSignatures.add(signatureText, { fingerprint, payloadName: payload.name, target });
      return true;
    }
    return false;
  }

  function maySearch({ fingerprint }: PublicKey): boolean {
    const nowMs = now();
    const last = searchedAt.get(fingerprint);
    if (last !== undefined && nowMs - last < searchEveryMs) return false;
    searchedAt.set(fingerprint, nowMs);
    return true;
  }

  function explainMismatch(
    { request, url }: SignedRequest,
    signature: Uint8Array,
    key: PublicKey,
  ): SignatureRejection {
    const payload = new HashedPayload(signedPayload(request));
    const mistake = maySearch(key)
      ? findSigningMistake({ ...request, url: url?.() ?? '' }, payload, (each) =>
          verifyOnCurve(each, signature, key),
        )
      : null;
    const reason = `${mismatch}: ${describePayload(payload)}`;
    if (!mistake) return rejectSignature('SIGNATURE_INVALID', reason);
    return rejectSignature(mistake.code, `${reason}; ${mistake.hint}`);
  }

  return {
    verifierName: verifier.name,
    get curveVerifications() {
      return curveVerifications;
    },
    verifyRequestSignature(signed) {
      const claimed = readClaim(signed.apiKeyHeader, signed.signatureHeader);
      if (!claimed.ok) return claimed;
      const { key, signatureText, fingerprint } = claimed;
      const verified = verifiedSignatures.find(fingerprint, signatureText);
      if (verified && hasPayloadOf(verified, signed)) return claimed;
      const parsed = readSignature(signatureText);
      if (!parsed.ok) return parsed;
      const { signature } = parsed;
      if (!verified && isValid(signed, signatureText, signature, key)) return claimed;
      const explain = () => explainMismatch(signed, signature, key);
      return rejectSignature('SIGNATURE_INVALID', mismatch, explain);
    },
    recognize(signed) {
      const claimed = readClaim(signed.apiKeyHeader, signed.signatureHeader);
      if (!claimed.ok) return null;
      const verified = verifiedSignatures.find(claimed.fingerprint, claimed.signatureText);
      return verified && hasPayloadOf(verified, signed) ? claimed : null;
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

const mismatch = `${signatureHeaderName} ${payloadMismatch}`;

type ReadSignature = Extract<SignatureResult, { ok: true }> | SignatureRejection;

function readSignature(text: string): ReadSignature {
  const parsed = parseSignature(text);
  if (parsed.ok) return parsed;
  const code = parsed.reason === signatureIssues.hmac ? 'SIGNATURE_IS_HMAC' : 'SIGNATURE_MALFORMED';
  return rejectSignature(code, `${signatureHeaderName} ${parsed.reason}`);
}

function readHeaders(
  apiKeyHeader: SignedRequest['apiKeyHeader'],
  signatureHeader: SignedRequest['signatureHeader'],
): { readonly ok: true; readonly apiKey: string; readonly signature: string } | SignatureRejection {
  const apiKey = readHeaderText(apiKeyHeaderName, apiKeyHeader, 'API_KEY_MALFORMED');
  const signature = readHeaderText(signatureHeaderName, signatureHeader, 'SIGNATURE_MALFORMED');
  if (apiKey.ok && signature.ok) return { ok: true, apiKey: apiKey.text, signature: signature.text };
  const rejections = [apiKey, signature].filter((header) => !header.ok);
  const [first] = rejections;
  // A header that is not there is the first thing to mend.
  const isMissing = rejections.some(({ code }) => code === 'CREDENTIALS_MISSING');
  const code = isMissing || !first ? 'CREDENTIALS_MISSING' : first.code;
  return rejectSignature(code, rejections.map(({ reason }) => reason).join('; '));
}

import { acceptedPayloads, type RequestToSign, signedPayload } from '@keyfront/protocol';
import { chooseVerifier } from './choose-verifier.ts';
import { describePayload } from './describe-payload.ts';
import { HashedPayload } from './hashed-payload.ts';
import { readHeaderText } from './header-text.ts';
import { ParsedKeys } from './parsed-keys.ts';
import type { PublicKey } from './public-key.ts';
import { type Refusal, refuse } from './refusal.ts';
import { parseSignature } from './signature-value.ts';
import { listSigningMistakes } from './signing-mistakes.ts';
import { VerifiedSignatures } from './verified-signatures.ts';
import type { SignatureVerifier } from './verifier.ts';

export const apiKeyHeaderName = 'x-auth-apikey';
export const signatureHeaderName = 'x-auth-signature';

export interface SignedRequest {
  readonly apiKeyHeader: string | readonly string[] | undefined;
  readonly signatureHeader: string | readonly string[] | undefined;
  readonly request: RequestToSign;
}

export interface VerifiedRequest {
  readonly ok: true;
  readonly key: PublicKey;
  /** SHA-256 of the key's DER in hex. */
  readonly fingerprint: string;
  /** The form of the request that was signed. */
  readonly payload: Uint8Array;
}

export interface RequestVerifier {
  /** The name of the implementation that does the arithmetic. */
  readonly verifierName: string;
  /** How often it was called. */
  readonly curveVerifications: number;
  /**
   * Whether the request was signed with the key it names. Whether that key is known to the service is for the caller
   * to find out; nothing here depends on it, so no duration and no reason can tell.
   */
  verifyRequestSignature(signed: SignedRequest): VerifiedRequest | Refusal;
  /** Drops what is remembered of a key. */
  forgetKey(fingerprint: string): void;
}

export interface RequestVerifierOptions {
  readonly verifier?: SignatureVerifier;
  readonly parsedKeys?: ParsedKeys;
  readonly verifiedSignatures?: VerifiedSignatures;
}

export function createRequestVerifier({
  verifier = chooseVerifier(),
  parsedKeys = new ParsedKeys(),
  verifiedSignatures = new VerifiedSignatures(),
}: RequestVerifierOptions = {}): RequestVerifier {
  let curveVerifications = 0;

  function verifyOnCurve(payload: HashedPayload, signature: Uint8Array, key: PublicKey): boolean {
    curveVerifications++;
    return verifier.verify(payload, signature, key);
  }

  function isSigned(payload: HashedPayload, signature: Uint8Array, key: PublicKey): boolean {
    if (verifiedSignatures.has(key.fingerprint, payload, signature)) return true;
    if (!verifyOnCurve(payload, signature, key)) return false;
    verifiedSignatures.add(key.fingerprint, payload, signature);
    return true;
  }

  function explainMismatch(request: RequestToSign, signature: Uint8Array, key: PublicKey): Refusal {
    const mistake = listSigningMistakes(request).find(({ payload }) =>
      verifyOnCurve(new HashedPayload(Buffer.from(payload)), signature, key),
    );
    const hint = mistake ? `; ${mistake.hint}` : '';
    const derived = describePayload(new HashedPayload(signedPayload(request)));
    return refuse(`${signatureHeaderName} does not match the payload of this request: ${derived}${hint}`);
  }

  return {
    verifierName: verifier.name,
    get curveVerifications() {
      return curveVerifications;
    },
    verifyRequestSignature({ apiKeyHeader, signatureHeader, request }) {
      const headers = readHeaders(apiKeyHeader, signatureHeader);
      if (!headers.ok) return headers;
      const parsedKey = parsedKeys.parse(headers.apiKey);
      if (!parsedKey.ok) return refuse(`${apiKeyHeaderName} ${parsedKey.reason}`);
      const parsedSignature = parseSignature(headers.signature);
      if (!parsedSignature.ok) return refuse(`${signatureHeaderName} ${parsedSignature.reason}`);
      const { key } = parsedKey;
      const { signature } = parsedSignature;
      for (const bytes of acceptedPayloads(request)) {
        if (isSigned(new HashedPayload(bytes), signature, key)) {
          return { ok: true, key, fingerprint: key.fingerprint, payload: bytes };
        }
      }
      return explainMismatch(request, signature, key);
    },
    forgetKey: (fingerprint) => verifiedSignatures.forget(fingerprint),
  };
}

function readHeaders(
  apiKeyHeader: SignedRequest['apiKeyHeader'],
  signatureHeader: SignedRequest['signatureHeader'],
): { readonly ok: true; readonly apiKey: string; readonly signature: string } | Refusal {
  const apiKey = readHeaderText(apiKeyHeaderName, apiKeyHeader);
  const signature = readHeaderText(signatureHeaderName, signatureHeader);
  if (apiKey.ok && signature.ok) return { ok: true, apiKey: apiKey.text, signature: signature.text };
  return refuse([apiKey, signature].flatMap((header) => (header.ok ? [] : [header.reason])).join('; '));
}

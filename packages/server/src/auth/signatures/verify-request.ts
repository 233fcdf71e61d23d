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
  /**
   * Method and address of a request without a body, whose payload follows from them; null where there is a body. A
   * request that comes again is told by it.
   */
  readonly address?: string | null;
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
  /** The name of the implementation that does the arithmetic. */
  readonly verifierName: string;
  /** How often it was called. */
  readonly curveVerifications: number;
  /**
   * Whether the request was signed with the key it names. Whether that key is known to the service is for the caller
   * to find out; nothing here depends on it, so no duration and no reason can tell.
   */
  verifyRequestSignature(signed: SignedRequest): VerifiedRequest | Refusal;
  /** Drops what is remembered of a request. */
  forget(request: VerifiedRequest): void;
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

  function isRemembered({ request, address }: SignedRequest, signatureText: string, key: PublicKey): boolean {
    const verified = verifiedSignatures.find(key.fingerprint, signatureText);
    if (!verified) return false;
    if (address && verified.address === address) return true;
    for (const bytes of acceptedPayloads(request)) {
      if (new HashedPayload(bytes).name === verified.payloadName) return true;
    }
    return false;
  }

  function isRight(
    { request, address = null }: SignedRequest,
    signatureText: string,
    signature: Uint8Array,
    key: PublicKey,
  ): boolean {
    for (const bytes of acceptedPayloads(request)) {
      const payload = new HashedPayload(bytes);
      if (!verifyOnCurve(payload, signature, key)) continue;
      const { fingerprint } = key;
      verifiedSignatures.add(signatureText, { fingerprint, payloadName: payload.name, address });
      return true;
    }
    return false;
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
    verifyRequestSignature(signed) {
      const headers = readHeaders(signed.apiKeyHeader, signed.signatureHeader);
      if (!headers.ok) return headers;
      const parsedKey = parsedKeys.parse(headers.apiKey);
      if (!parsedKey.ok) return refuse(`${apiKeyHeaderName} ${parsedKey.reason}`);
      const { key } = parsedKey;
      const signatureText = headers.signature;
      const accepted = { ok: true, key, fingerprint: key.fingerprint, signatureText } as const;
      if (isRemembered(signed, signatureText, key)) return accepted;
      const parsedSignature = parseSignature(signatureText);
      if (!parsedSignature.ok) return refuse(`${signatureHeaderName} ${parsedSignature.reason}`);
      const { signature } = parsedSignature;
      return isRight(signed, signatureText, signature, key)
        ? accepted
        : explainMismatch(signed.request, signature, key);
    },
    forget: ({ signatureText }) => verifiedSignatures.delete(signatureText),
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

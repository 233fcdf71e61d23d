import { BoundedMap } from '@keyfront/bounded-map';
import {
  acceptedPayloads,
  payloadMismatch,
  type RequestToSign,
  signatureIssues,
  signedPayload,
} from '@keyfront/protocol';
import { HashedPayload } from '../ecdsa/hashed-payload.ts';
import { PublicKeyCache } from '../ecdsa/public-key.ts';
import { parseSignature, type SignatureResult } from '../ecdsa/signature-value.ts';
import type { PublicKey } from '../ecdsa/spki.ts';
import { loadFastestVerifier, type SignatureVerifier } from '../ecdsa/verifiers.ts';
import { rejectSignature, type SignatureRejection } from '../rejection.ts';
import { describePayload, findSigningMistake } from './explain-mismatch.ts';
import {
  apiKeyHeaderName,
  readSimpleHeaders,
  type SimpleHeaders,
  signatureHeaderName,
} from './simple-headers.ts';
import { type VerifiedSignature, VerifiedSignatureCache } from './verified-signature-cache.ts';

export interface SimpleRequest extends SimpleHeaders {
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

/** Who claims to have signed a request. */
export interface SimpleClaim {
  readonly ok: true;
  readonly key: PublicKey;
  /** The signature as it was sent. */
  readonly signatureText: string;
}

export interface SimpleVerifierOptions {
  /** The default is the fastest verifier that runs on this platform. */
  readonly verifier?: SignatureVerifier;
  readonly publicKeys?: PublicKeyCache;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** The mistake in a wrong signature is searched for at most once in this time for each key: it takes many verifications. */
const searchEveryMs = 1_000;
const maxSearchedKeys = 10_000;

/**
 * Verifies that a request was signed with the key in its headers. Whether the service knows that key is checked by the
 * caller: it has no influence here, so neither the duration nor the reason reveals it.
 */
export class SimpleVerifier {
  readonly #verifier: SignatureVerifier;
  readonly #publicKeys: PublicKeyCache;
  readonly #now: () => number;
  readonly #verified = new VerifiedSignatureCache();
  readonly #searchedAt = new BoundedMap<number>(maxSearchedKeys);

  constructor({
    verifier = loadFastestVerifier(),
    publicKeys = new PublicKeyCache(),
    now = () => performance.now(),
  }: SimpleVerifierOptions = {}) {
    this.#verifier = verifier;
    this.#publicKeys = publicKeys;
    this.#now = now;
  }

  /** Reads who claims to have signed a request. Checks only the form of the headers, without the payload. */
  readClaim(headers: SimpleHeaders): SimpleClaim | SignatureRejection {
    const claim = this.#readKey(headers);
    if (!claim.ok || this.#findVerified(claim)) return claim;
    const parsed = readSignature(claim.signatureText);
    return parsed.ok ? claim : parsed;
  }

  /** Whether the signature of the request was verified before, so that it costs nothing now. */
  isVerified(request: SimpleRequest): boolean {
    const claim = this.#readKey(request);
    const verified = claim.ok ? this.#findVerified(claim) : undefined;
    return verified !== undefined && hasPayloadOf(verified, request);
  }

  verify(request: SimpleRequest): SimpleClaim | SignatureRejection {
    const claim = this.#readKey(request);
    if (!claim.ok) return claim;
    const verified = this.#findVerified(claim);
    if (verified && hasPayloadOf(verified, request)) return claim;
    const parsed = readSignature(claim.signatureText);
    if (!parsed.ok) return parsed;
    const { signature } = parsed;
    // A signature that was verified with another payload is valid for no other one.
    if (!verified && this.#isValid(request, claim, signature)) return claim;
    const explain = () => this.#explainMismatch(request, signature, claim.key);
    return rejectSignature('SIGNATURE_INVALID', mismatch, explain);
  }

  /** Removes a request from the cache. */
  forget({ signatureText }: SimpleClaim): void {
    this.#verified.delete(signatureText);
  }

  /** Reads the key and the text of the signature. Checks nothing but the form of the key. */
  #readKey(headers: SimpleHeaders): SimpleClaim | SignatureRejection {
    const texts = readSimpleHeaders(headers);
    if (!texts.ok) return texts;
    const parsed = this.#publicKeys.parse(texts.apiKey);
    if (!parsed.ok) return rejectSignature('API_KEY_MALFORMED', `${apiKeyHeaderName} ${parsed.reason}`);
    return { ok: true, key: parsed.key, signatureText: texts.signature };
  }

  #findVerified({ key, signatureText }: SimpleClaim): VerifiedSignature | undefined {
    return this.#verified.find(key.fingerprint, signatureText);
  }

  #isValid(
    { request, target = null, parsesBody }: SimpleRequest,
    { key, signatureText }: SimpleClaim,
    signature: Uint8Array,
  ): boolean {
    for (const bytes of acceptedPayloads(request, { parsesBody })) {
      const payload = new HashedPayload(bytes);
      if (!this.#verifier(payload, signature, key)) continue;
      const { fingerprint } = key;
      this.#verified.add(signatureText, { fingerprint, payloadName: payload.name, target });
      return true;
    }
    return false;
  }

  #explainMismatch(
    { request, url }: SimpleRequest,
    signature: Uint8Array,
    key: PublicKey,
  ): SignatureRejection {
    const payload = new HashedPayload(signedPayload(request));
    const reason = `${mismatch}: ${describePayload(payload)}`;
    const mistake = this.#maySearch(key)
      ? findSigningMistake({ ...request, url: url?.() ?? '' }, payload, (each) =>
          this.#verifier(each, signature, key),
        )
      : null;
    if (!mistake) return rejectSignature('SIGNATURE_INVALID', reason);
    return rejectSignature(mistake.code, `${reason}; ${mistake.hint}`);
  }

  #maySearch({ fingerprint }: PublicKey): boolean {
    const nowMs = this.#now();
    const last = this.#searchedAt.get(fingerprint);
    if (last !== undefined && nowMs - last < searchEveryMs) return false;
    this.#searchedAt.set(fingerprint, nowMs);
    return true;
  }
}

/** Whether a request has the payload that this signature was verified with. */
function hasPayloadOf(verified: VerifiedSignature, { request, target, parsesBody }: SimpleRequest): boolean {
  if (target && verified.target === target) return true;
  for (const bytes of acceptedPayloads(request, { parsesBody })) {
    if (new HashedPayload(bytes).name === verified.payloadName) return true;
  }
  return false;
}

const mismatch = `${signatureHeaderName} ${payloadMismatch}`;

function readSignature(text: string): Extract<SignatureResult, { ok: true }> | SignatureRejection {
  const parsed = parseSignature(text);
  if (parsed.ok) return parsed;
  const code = parsed.reason === signatureIssues.hmac ? 'SIGNATURE_IS_HMAC' : 'SIGNATURE_MALFORMED';
  return rejectSignature(code, `${signatureHeaderName} ${parsed.reason}`);
}

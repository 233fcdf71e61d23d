import { BoundedMap } from '@keyfront/bounded-map';
import { needsNonce, signatureToleranceSeconds, writeSignatureBase } from '@keyfront/protocol';
import { HashedPayload } from '../ecdsa/hashed-payload.ts';
import { isPairOfScalars } from '../ecdsa/signature-value.ts';
import { type PublicKey, readSpki } from '../ecdsa/spki.ts';
import { loadFastestVerifier, type SignatureVerifier } from '../ecdsa/verifiers.ts';
import { type Rejection, rejectSignature, type SignatureRejection } from '../rejection.ts';
import { checkContentDigest } from './content-digest.ts';
import { refusalReasons } from './refusal-reasons.ts';
import { type RequestAddress, readComponent } from './request-components.ts';
import { checkSignatureInput, readSignatureClaim, type SignatureClaim } from './signature-input.ts';

export const signatureInputHeaderName = 'signature-input';
export const boundSignatureHeaderName = 'signature';

/** A request with a bound signature. */
export interface BoundRequest {
  readonly inputHeader: string | undefined;
  readonly signatureHeader: string | undefined;
  readonly method: string;
  readonly address: RequestAddress;
  readonly rawHeaders: readonly string[];
  /** Whether the headers announce a body. */
  readonly hasBody: boolean;
}

/** A request whose headers can be valid. Its signature is not verified yet. */
export interface BoundClaim extends SignatureClaim {
  /** The values of the covered components, in their order. */
  readonly values: readonly string[];
  /** The fingerprint of the key that the signature of an equal request was verified with. Null: it is not verified yet. */
  readonly verifiedWith: string | null;
}

interface VerifiedClaim {
  readonly inputHeader: string;
  readonly claim: SignatureClaim;
  readonly values: readonly string[];
  readonly fingerprint: string;
}

const cacheLimit = 20_000;
// Bounds the memory of an entry.
const maxCachedLength = 1_024;

export interface BoundVerifierOptions {
  /** The default is the fastest verifier that runs on this platform. */
  readonly verifier?: SignatureVerifier;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
}

/** Verifies bound signatures: HTTP Message Signatures (RFC 9421). */
export class BoundVerifier {
  readonly #verifier: SignatureVerifier;
  readonly #now: () => number;
  /**
   * Verified signatures of reads by their header, so that a repeated read is not verified again. They are dropped when their time is
   * over. A change is never repeated.
   */
  readonly #verified: BoundedMap<VerifiedClaim>;
  /** The parsed keys of cached holders. */
  readonly #keys = new WeakMap<Buffer, PublicKey>();

  constructor({ verifier = loadFastestVerifier(), now = Date.now }: BoundVerifierOptions = {}) {
    this.#verifier = verifier;
    this.#now = now;
    this.#verified = new BoundedMap(cacheLimit, { maxIdleMs: signatureToleranceSeconds * 1_000, now });
  }

  /** Checks everything but the signature itself and the body. */
  readClaim(request: BoundRequest): BoundClaim | SignatureRejection {
    const { inputHeader, signatureHeader, method, address, rawHeaders, hasBody } = request;
    const verified = this.#findVerified(request);
    const claim = verified?.claim ?? readSignatureClaim(inputHeader, signatureHeader);
    if (!claim.ok) return rejectForm(claim);
    const { input, signature } = claim;
    const checked = checkSignatureInput(input, { method, hasBody, nowMs: this.#now() });
    if (!checked.ok) return invalid(checked.reason);
    // A request of HTTP/1.0 may have none. Its signature would be valid at every service that knows the key.
    if (address.authority === '') return invalid(refusalReasons.hostMissing());
    const values: string[] = [];
    // The same header covers the same components with the same parameters, so equal values make an equal signature base.
    let verifiedWith = verified?.fingerprint ?? null;
    for (const name of input.components) {
      const value = readComponent(name, method, address, rawHeaders);
      if (value === null) return invalid(refusalReasons.componentMissing(name));
      if (value !== verified?.values[values.length]) verifiedWith = null;
      values.push(value);
    }
    return { ok: true, input, signature, values, verifiedWith };
  }

  /** Verifies the signature of a request, and the digest of its body. */
  verify(
    request: BoundRequest,
    claim: BoundClaim,
    spki: Buffer,
    body: Uint8Array | null,
  ): { readonly ok: true; readonly key: PublicKey } | SignatureRejection {
    const { method, address, rawHeaders } = request;
    const { input, values } = claim;
    // The body of a read is not read.
    if (input.components.includes('content-digest') && needsNonce(method)) {
      const digest = readComponent('content-digest', method, address, rawHeaders) ?? '';
      const checked = checkContentDigest(digest, body ?? new Uint8Array());
      if (!checked.ok) return invalid(checked.reason);
    }
    const key = this.#readKey(spki);
    if (claim.verifiedWith === key.fingerprint) return { ok: true, key };
    const components = input.components.map((name, at) => [name, values[at] ?? ''] as const);
    const base = writeSignatureBase(components, input.params);
    if (!this.#verifyOnCurve(base, claim.signature, key)) return rejectMismatch(base);
    this.#remember(request, claim, base, key);
    return { ok: true, key };
  }

  #findVerified({ inputHeader, signatureHeader }: BoundRequest): VerifiedClaim | undefined {
    if (signatureHeader === undefined) return undefined;
    const verified = this.#verified.get(signatureHeader);
    return verified?.inputHeader === inputHeader ? verified : undefined;
  }

  #remember(
    { inputHeader = '', signatureHeader = '', method }: BoundRequest,
    { input, signature, values }: BoundClaim,
    base: string,
    { fingerprint }: PublicKey,
  ) {
    const length = Math.max(base.length, inputHeader.length, signatureHeader.length);
    if (needsNonce(method) || length > maxCachedLength) return;
    this.#verified.set(signatureHeader, {
      inputHeader,
      claim: { ok: true, input, signature },
      values,
      fingerprint,
    });
  }

  #verifyOnCurve(base: string, signature: Buffer, key: PublicKey): boolean {
    if (!isPairOfScalars(signature)) return false;
    // The verifier may change the bytes of s, which the cache keeps.
    return this.#verifier(new HashedPayload(Buffer.from(base, 'latin1')), Buffer.from(signature), key);
  }

  #readKey(spki: Buffer): PublicKey {
    const cached = this.#keys.get(spki);
    if (cached) return cached;
    const read = readSpki(spki);
    if (!read.ok) throw new Error('A stored public key cannot be read');
    this.#keys.set(spki, read.key);
    return read.key;
  }
}

const maxShownLength = 400;

/** Shows the caller what the service has derived from the request. A line break cannot be part of a header. */
function rejectMismatch(base: string): SignatureRejection {
  const lines = base.split('\n').join(' | ');
  const shown = lines.length > maxShownLength ? `${lines.slice(0, maxShownLength)}...` : lines;
  return invalid(refusalReasons.mismatch(shown));
}

function invalid(reason: string): SignatureRejection {
  return rejectSignature('SIGNATURE_INVALID', reason);
}

/** Rejects headers that are missing or malformed. */
function rejectForm({ reason }: Rejection): SignatureRejection {
  const isMissing = [refusalReasons.noInput(), refusalReasons.noSignature()].includes(reason);
  return rejectSignature(isMissing ? 'CREDENTIALS_MISSING' : 'SIGNATURE_MALFORMED', reason);
}

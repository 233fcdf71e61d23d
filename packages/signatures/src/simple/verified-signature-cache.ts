import { BoundedMap } from '@keyfront/bounded-map';

const defaultLimit = 20_000;
// Bounds the memory, together with the fixed lengths of the other texts of an entry.
const maxTargetLength = 256;

export interface VerifiedSignature {
  readonly fingerprint: string;
  readonly payloadName: string;
  /** Method and URL of a request without a body; null otherwise. */
  readonly target: string | null;
}

/**
 * Caches valid signatures, so that a repeated request is not verified again. Whether the key is known or revoked is not
 * cached here. Invalid signatures are not cached: anybody can make up any number of them.
 */
export class VerifiedSignatureCache {
  readonly #signatures: BoundedMap<VerifiedSignature>;

  constructor(limit = defaultLimit) {
    this.#signatures = new BoundedMap(limit);
  }

  get size(): number {
    return this.#signatures.size;
  }

  /** Finds a signature of this key by its text, without parsing it. */
  find(fingerprint: string, signatureText: string): VerifiedSignature | undefined {
    const verified = this.#signatures.get(signatureText);
    return verified?.fingerprint === fingerprint ? verified : undefined;
  }

  add(signatureText: string, verified: VerifiedSignature): void {
    const { fingerprint, payloadName, target } = verified;
    const isTooLong = target !== null && target.length > maxTargetLength;
    this.#signatures.set(signatureText, { fingerprint, payloadName, target: isTooLong ? null : target });
  }

  delete(signatureText: string): void {
    this.#signatures.delete(signatureText);
  }
}

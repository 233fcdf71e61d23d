import { BoundedMap } from '../../bounded-map.ts';

const defaultLimit = 20_000;
// ClusterHooks with the other texts of an entry it bounds the memory.
const longestAddress = 256;

/** What is remembered of a signature. */
export interface VerifiedSignature {
  readonly fingerprint: string;
  readonly payloadName: string;
  /** Of a request whose payload its address told. */
  readonly address: string | null;
}

/**
 * Remembers which signatures were found right, so that a repeated request costs no arithmetic. It says nothing about
 * whether a key is known or revoked. What was found wrong is not remembered: that could be made up without end.
 */
export class VerifiedSignatures {
  readonly #verified: BoundedMap<VerifiedSignature>;

  constructor(limit = defaultLimit) {
    this.#verified = new BoundedMap(limit);
  }

  get size(): number {
    return this.#verified.size;
  }

  /** By its text, so that nothing of it needs to be read. Only what the same key has made counts. */
  find(fingerprint: string, signatureText: string): VerifiedSignature | undefined {
    const verified = this.#verified.get(signatureText);
    return verified?.fingerprint === fingerprint ? verified : undefined;
  }

  add(signatureText: string, verified: VerifiedSignature): void {
    this.#verified.set(
      signatureText,
      verified.address === null || verified.address.length <= longestAddress
        ? verified
        : { ...verified, address: null },
    );
  }

  delete(signatureText: string): void {
    this.#verified.delete(signatureText);
  }
}

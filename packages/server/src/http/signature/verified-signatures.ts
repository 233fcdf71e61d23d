import { BoundedMap } from '../../bounded-map.ts';
import type { HashedPayload } from './hashed-payload.ts';

const defaultLimit = 20_000;

/**
 * Remembers which signatures were found right, so that a repeated request costs no arithmetic. It says nothing about
 * whether a key is known or revoked. What was found wrong is not remembered: that could be made up without end.
 */
export class VerifiedSignatures {
  readonly #fingerprints: BoundedMap<string>;
  readonly #entriesByFingerprint = new Map<string, Set<string>>();

  constructor(limit = defaultLimit) {
    this.#fingerprints = new BoundedMap(limit, (entry, fingerprint) => this.#unlink(entry, fingerprint));
  }

  get size(): number {
    return this.#fingerprints.size;
  }

  has(fingerprint: string, payload: HashedPayload, signature: Uint8Array): boolean {
    return this.#fingerprints.get(entryName(fingerprint, payload, signature)) !== undefined;
  }

  add(fingerprint: string, payload: HashedPayload, signature: Uint8Array): void {
    const entry = entryName(fingerprint, payload, signature);
    this.#fingerprints.set(entry, fingerprint);
    const entries = this.#entriesByFingerprint.get(fingerprint);
    if (entries) entries.add(entry);
    else this.#entriesByFingerprint.set(fingerprint, new Set([entry]));
  }

  /** Drops everything of a key. */
  forget(fingerprint: string): void {
    for (const entry of this.#entriesByFingerprint.get(fingerprint) ?? []) this.#fingerprints.delete(entry);
    this.#entriesByFingerprint.delete(fingerprint);
  }

  #unlink(entry: string, fingerprint: string): void {
    const entries = this.#entriesByFingerprint.get(fingerprint);
    entries?.delete(entry);
    if (entries?.size === 0) this.#entriesByFingerprint.delete(fingerprint);
  }
}

/** All three parts have a fixed length, so no two entries share a name. One byte for each byte, to be small. */
function entryName(fingerprint: string, payload: HashedPayload, signature: Uint8Array): string {
  return Buffer.concat([Buffer.from(fingerprint, 'hex'), payload.digest, signature]).toString('latin1');
}

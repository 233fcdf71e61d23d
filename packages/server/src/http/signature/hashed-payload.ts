import { createHash } from 'node:crypto';

/** What was signed, with its SHA-256. The hash is made when it is first asked for, and once. */
export class HashedPayload {
  readonly bytes: Uint8Array;
  #digest: Buffer | null = null;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get digest(): Buffer {
    this.#digest ??= createHash('sha256').update(this.bytes).digest();
    return this.#digest;
  }
}

import { hash } from 'node:crypto';

/** The hash of a longer payload takes less memory than the payload. */
const maxPlainNameLength = 128;

/** The names of hash functions in Node. Requests are signed with SHA-256; the others are mistakes. */
export type HashName = 'sha256' | 'sha1' | 'sha384' | 'sha512';

const digestBytes = 32;

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');
const emptyObject = Buffer.from('{}');
const digestOfEmptyObject = sha256(emptyObject);

/** A signed payload and its hash, which is computed once, when it is first read. */
export class HashedPayload {
  readonly bytes: Uint8Array;
  readonly hashName: HashName;
  #digest: Buffer | null = null;

  constructor(bytes: Uint8Array, hashName: HashName = 'sha256') {
    this.bytes = bytes;
    this.hashName = hashName;
  }

  /** The hash as ECDSA takes it on a curve of 256 bits: the first 32 bytes, or a shorter one after zeros. */
  get digest(): Buffer {
    this.#digest ??= this.#computeDigest();
    return this.#digest;
  }

  #computeDigest(): Buffer {
    if (this.hashName === 'sha256')
      return isEmptyObject(this.bytes) ? digestOfEmptyObject : sha256(this.bytes);
    const digest = hash(this.hashName, this.bytes, 'buffer').subarray(0, digestBytes);
    return Buffer.concat([Buffer.alloc(digestBytes - digest.length), digest]);
  }

  /** A short text that no other payload has. A short payload is its own name, so that it need not be hashed. */
  get name(): string {
    const { bytes } = this;
    return bytes.length <= maxPlainNameLength
      ? `plain ${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')}`
      : `hash ${this.digest.toString('latin1')}`;
  }
}

/** The payload of every request that has neither query nor body. */
function isEmptyObject(bytes: Uint8Array): boolean {
  return bytes.length === 2 && bytes[0] === emptyObject[0] && bytes[1] === emptyObject[1];
}

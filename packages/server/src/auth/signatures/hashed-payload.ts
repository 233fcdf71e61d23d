import { hash } from 'node:crypto';

/** The hash of a longer payload takes less memory than the payload. */
const maxPlainNameLength = 128;

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');
const emptyObject = Buffer.from('{}');
const digestOfEmptyObject = sha256(emptyObject);

/** A signed payload and its SHA-256, which is computed once, when it is first read. */
export class HashedPayload {
  readonly bytes: Uint8Array;
  #digest: Buffer | null = null;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get digest(): Buffer {
    this.#digest ??= isEmptyObject(this.bytes) ? digestOfEmptyObject : sha256(this.bytes);
    return this.#digest;
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

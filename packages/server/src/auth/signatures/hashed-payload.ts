import { hash } from 'node:crypto';

/** Beyond it a hash is shorter to keep than the payload itself. */
const longestPlainName = 128;

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');
const emptyObject = Buffer.from('{}');
const digestOfEmptyObject = sha256(emptyObject);

/** What was signed, with its SHA-256. The hash is made when it is first asked for, and once. */
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

  /** Short text that no other payload has. Most payloads are so short that they are their own name. */
  get name(): string {
    const { bytes } = this;
    return bytes.length <= longestPlainName
      ? `plain ${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')}`
      : `hash ${this.digest.toString('latin1')}`;
  }
}

/** The payload of every request that has neither query nor body. */
function isEmptyObject(bytes: Uint8Array): boolean {
  return bytes.length === 2 && bytes[0] === emptyObject[0] && bytes[1] === emptyObject[1];
}

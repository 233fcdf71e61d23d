export const derTag = {
  integer: 0x02,
  bitString: 0x03,
  objectIdentifier: 0x06,
  sequence: 0x30,
  version: 0xa0,
};

export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The bytes after the value. */
  readonly rest: Uint8Array;
}

/** Reads the first value. Null unless its length is encoded as DER requires: definite, and as short as possible. */
export function readDer(bytes: Uint8Array): DerValue | null {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) return null;
  let start = 2;
  let length = first;
  if (first >= 0x80) {
    const lengthBytes = bytes.subarray(start, start + (first & 0x7f));
    // Three bytes express more than the length of any header.
    if (lengthBytes.length !== (first & 0x7f) || lengthBytes.length < 1 || lengthBytes.length > 3)
      return null;
    length = lengthBytes.reduce((sum, byte) => sum * 256 + byte, 0);
    if (length < 0x80 || lengthBytes[0] === 0) return null;
    start += lengthBytes.length;
  }
  if (bytes.length < start + length) return null;
  return { tag, content: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) };
}

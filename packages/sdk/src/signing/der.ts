/** A DER value. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The bytes after the value. */
  readonly rest: Uint8Array;
}

export const derTag = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  sequence: 0x30,
} as const;

/** Reads the first value; null if the bytes are not DER. Keys and signatures are shorter than 64 KiB. */
export function readDer(bytes: Uint8Array): DerValue | null {
  const [tag, first = 0x80, second = 0, third = 0] = bytes;
  if (tag === undefined) return null;
  let start = 2;
  let length = first;
  if (first === 0x81 && second >= 0x80) [start, length] = [3, second];
  else if (first === 0x82 && second > 0) [start, length] = [4, second * 256 + third];
  else if (first >= 0x80) return null;
  const end = start + length;
  if (end > bytes.length) return null;
  return { tag, content: bytes.subarray(start, end), rest: bytes.subarray(end) };
}

/** Reads consecutive values; null if the bytes are not DER. */
export function readDerSequence(bytes: Uint8Array): DerValue[] | null {
  const values: DerValue[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const value = readDer(rest);
    if (!value) return null;
    values.push(value);
    rest = value.rest;
  }
  return values;
}

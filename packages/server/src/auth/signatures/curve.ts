const fieldPrime = 2n ** 256n - 2n ** 32n - 977n;
const order = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');

/** The point of secp256k1 as 65 bytes, from its uncompressed or compressed form. Null where it is not on the curve. */
export function decodePoint(bytes: Uint8Array): Uint8Array | null {
  const [form] = bytes;
  const x = toBigInt(bytes.subarray(1, 33));
  if (x >= fieldPrime) return null;
  const square = (x * x * x + 7n) % fieldPrime;
  if (form === 0x04 && bytes.length === 65) {
    const y = toBigInt(bytes.subarray(33));
    return y < fieldPrime && (y * y) % fieldPrime === square ? Uint8Array.from(bytes) : null;
  }
  if ((form === 0x02 || form === 0x03) && bytes.length === 33) {
    // The prime leaves 3 when divided by 4, so this power is the root wherever there is one.
    const root = raise(square, (fieldPrime + 1n) / 4n);
    if ((root * root) % fieldPrime !== square) return null;
    const y = (root & 1n) === BigInt(form & 1) ? root : fieldPrime - root;
    return Uint8Array.from(Buffer.from(`04${toHex(x)}${toHex(y)}`, 'hex'));
  }
  return null;
}

/** Whether the 32 bytes from `start` on are a number from 1 to n-1, n being the order of the curve. */
export function isScalar(bytes: Uint8Array, start: number): boolean {
  let isZero = true;
  let isBelow = false;
  for (let at = 0; at < order.length; at++) {
    const byte = bytes[start + at] ?? 0;
    const bound = order[at] ?? 0;
    // Until it is below, it is the same so far.
    if (!isBelow && byte > bound) return false;
    isBelow ||= byte < bound;
    isZero &&= byte === 0;
    if (isBelow && !isZero) return true;
  }
  return false;
}

function raise(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let power = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * power) % fieldPrime;
    power = (power * power) % fieldPrime;
  }
  return result;
}

function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
}

function toHex(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

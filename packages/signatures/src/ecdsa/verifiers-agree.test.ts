import { createPublicKey, generateKeyPairSync, type KeyObject, randomInt, sign, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { needs } from '../../../../test/support/requirements.ts';
import { scaled } from '../../../../test/support/scale.ts';
import { HashedPayload } from './hashed-payload.ts';
import { parsePublicKey } from './public-key.ts';
import { parseSignature } from './signature-value.ts';
import type { PublicKey } from './spki.ts';
import { loadLibsecp256k1Verifier, type SignatureVerifier, verifyWithNodeCrypto } from './verifiers.ts';

// The cases differ in each run. After a change of the verification, run it with SIGNATURE_TEST_CASES=100000.
const cases = Number(process.env.SIGNATURE_TEST_CASES ?? scaled(1_000));
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const prime = 2n ** 256n - 2n ** 32n - 977n;
const edges = [
  0n,
  1n,
  2n,
  3n,
  order / 2n,
  order / 2n + 1n,
  order - 2n,
  order - 1n,
  order,
  order + 1n,
  prime - order,
].concat([prime - order - 1n, prime - 1n, prime, prime + 1n, 2n ** 255n, 2n ** 256n - 1n]);

interface Pair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly key: PublicKey;
}

interface Signed {
  readonly pair: Pair;
  readonly payload: Buffer;
  readonly r: bigint;
  readonly s: bigint;
}

/** A signature as it is sent, and whether it should be valid, if that is known. */
interface Case {
  readonly kind: string;
  readonly pair: Pair;
  readonly payload: Buffer;
  readonly bytes: Buffer;
  readonly expected?: boolean;
}

/** mulberry32: the same sequence for the same seed. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function createPair(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const parsed = parsePublicKey(publicKey.export({ format: 'der', type: 'spki' }).toString('base64'));
  if (!parsed.ok) throw new Error(parsed.reason);
  return { privateKey, publicKey, key: parsed.key };
}

function signPayload(pair: Pair, payload: Buffer): Signed {
  const signature = sign('sha256', payload, { key: pair.privateKey, dsaEncoding: 'ieee-p1363' });
  return { pair, payload, r: toNumber(signature.subarray(0, 32)), s: toNumber(signature.subarray(32)) };
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function toBytes(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
}

function pairOf(r: bigint, s: bigint): Buffer {
  return Buffer.concat([toBytes(r), toBytes(s)]);
}

/** Minimal, unless it is padded with `zeros`. */
function derInteger(number: bigint, zeros = 0): Buffer {
  const hex = number.toString(16);
  const even = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  const sign = Buffer.alloc(zeros + ((even[0] ?? 0) >= 0x80 ? 1 : 0));
  return Buffer.concat([Buffer.from([0x02, even.length + sign.length]), sign, even]);
}

function derOf(r: bigint, s: bigint, zeros = 0): Buffer {
  const content = Buffer.concat([derInteger(r, zeros), derInteger(s)]);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}

function flipBit(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

function createCases(random: (below: number) => number): () => Case {
  const pairs = Array.from({ length: 8 }, createPair);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[random(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  const randomBytes = (length: number) => Buffer.from(Array.from({ length }, () => random(256)));
  const pool = Array.from({ length: Math.min(cases, 2_000) }, () =>
    signPayload(pick(pairs), randomBytes(1 + random(100))),
  );
  const encode = (r: bigint, s: bigint) => (random(2) ? derOf(r, s) : pairOf(r, s));

  type Maker = (signed: Signed) => Omit<Case, 'kind'>;
  const wellFormed: Record<string, Maker> = {
    'valid, with high or low s': ({ pair, payload, r, s }) => {
      return { pair, payload, bytes: encode(r, random(2) ? order - s : s), expected: true };
    },
    'flipped bit in r or s': ({ pair, payload, r, s }) => {
      return { pair, payload, bytes: flipBit(pairOf(r, s), random(512)), expected: false };
    },
    'flipped bit in the payload': ({ pair, payload, r, s }) => {
      const flipped = flipBit(payload, random(payload.length * 8));
      return { pair, payload: flipped, bytes: encode(r, s), expected: false };
    },
    'another key': ({ pair, payload, r, s }) => {
      const other = pick(pairs.filter((candidate) => candidate !== pair));
      return { pair: other, payload, bytes: encode(r, s), expected: false };
    },
    'r and s at an edge': ({ pair, payload }) => ({ pair, payload, bytes: encode(pick(edges), pick(edges)) }),
    'one of r and s at an edge': ({ pair, payload, r, s }) => {
      const edge = pick(edges);
      return { pair, payload, bytes: random(2) ? encode(edge, s) : encode(r, edge), expected: false };
    },
    'random r and s': ({ pair, payload }) => ({ pair, payload, bytes: randomBytes(64), expected: false }),
    'changed byte in DER': ({ pair, payload, r, s }) => {
      const bytes = derOf(r, s);
      bytes[random(bytes.length)] = random(256);
      return { pair, payload, bytes };
    },
  };
  const malformed: Record<string, Maker> = {
    'r or s with n added': ({ pair, payload, r, s }) => {
      return { pair, payload, bytes: random(2) ? derOf(r + order, s) : derOf(r, s + order), expected: false };
    },
    'truncated DER': ({ pair, payload, r, s }) => {
      const der = derOf(r, s);
      return { pair, payload, bytes: der.subarray(0, random(der.length)), expected: false };
    },
    'DER followed by other bytes': ({ pair, payload, r, s }) => {
      const bytes = Buffer.concat([derOf(r, s), randomBytes(1 + random(3))]);
      return { pair, payload, bytes, expected: false };
    },
    'DER with a number that is too long': ({ pair, payload, r, s }) => {
      return { pair, payload, bytes: derOf(r, s, 1 + random(3)), expected: false };
    },
    'DER with a long length': ({ pair, payload, r, s }) => {
      const der = derOf(r, s);
      return {
        pair,
        payload,
        bytes: Buffer.concat([Buffer.from([0x30, 0x81]), der.subarray(1)]),
        expected: false,
      };
    },
    'flipped bit in the structure of DER': ({ pair, payload, r, s }) => {
      const rLength = derInteger(r).length;
      const at = pick([0, 1, 2, 3, 4, rLength + 2, rLength + 3, rLength + 4]);
      return { pair, payload, bytes: flipBit(derOf(r, s), at * 8 + random(8)), expected: false };
    },
    'inserted byte in DER': ({ pair, payload, r, s }) => {
      const der = derOf(r, s);
      const at = random(der.length);
      const bytes = Buffer.concat([der.subarray(0, at), randomBytes(1), der.subarray(at)]);
      return { pair, payload, bytes, expected: false };
    },
  };
  return () => {
    // Verifying takes a thousand times as long as rejecting, so most of the cases are malformed.
    const [kind, make] = pick(Object.entries(random(4) === 0 ? wellFormed : malformed));
    return { kind, ...make(pick(pool)) };
  };
}

function verifyBoth(
  libsecp256k1: SignatureVerifier,
  { pair, payload, bytes }: Case,
): { verdicts: boolean[]; wasParsed: boolean } {
  const parsed = parseSignature(bytes.toString('base64'));
  const hashed = new HashedPayload(payload);
  const verdicts = parsed.ok
    ? [libsecp256k1, verifyWithNodeCrypto].map((verify) => verify(hashed, parsed.signature, pair.key))
    : [false];
  // OpenSSL parses DER itself: it must reject what our parser rejected.
  if (!parsed.ok && bytes.length !== 64) verdicts.push(verify('sha256', payload, pair.publicKey, bytes));
  return { verdicts, wasParsed: parsed.ok };
}

const libsecp256k1 = loadLibsecp256k1Verifier();
const givenSeed = process.env.SIGNATURE_TEST_SEED;
const seed = givenSeed ? Number(givenSeed) : randomInt(2 ** 31);

if (!libsecp256k1) {
  it('libsecp256k1 and node:crypto agree', needs('libsecp256k1'), () => {});
} else {
  it(`libsecp256k1 and node:crypto agree on ${cases} cases`, () => {
    const started = performance.now();
    const nextCase = createCases(seeded(seed));
    const wrong: string[] = [];
    let parsedCount = 0;
    for (let index = 0; index < cases; index++) {
      const given = nextCase();
      const { verdicts, wasParsed } = verifyBoth(libsecp256k1, given);
      const expected = given.expected ?? verdicts[0];
      if (wasParsed) parsedCount++;
      // Setting a byte to its old value leaves the signature valid, so that kind has no expectation.
      if (verdicts.some((verdict) => verdict !== expected)) {
        wrong.push(
          `${index} ${given.kind} ${given.bytes.toString('hex')}: ${verdicts}, expected ${expected}`,
        );
      }
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.info(
      `${cases} signatures, ${parsedCount} of them verified by both, in ${seconds} s; SIGNATURE_TEST_SEED=${seed}`,
    );
    expect(wrong.slice(0, 5), `SIGNATURE_TEST_SEED=${seed}`).toEqual([]);
  });
}

it('our parser and OpenSSL accept the same modified keys', { timeout: 60_000 }, () => {
  const random = seeded(seed);
  const spki = createPair().key.spki;
  for (let index = 0; index < scaled(1_000); index++) {
    const changed = flipBit(spki, random(spki.length * 8));
    const ours = parsePublicKey(changed.toString('base64'));
    // OpenSSL also accepts other curves and hybrid points.
    if (ours.ok) expect(isKeyOfOpenssl(changed), `SIGNATURE_TEST_SEED=${seed}`).toBe(true);
    const isOnCurve = changed.subarray(0, 24).equals(spki.subarray(0, 24)) && isKeyOfOpenssl(changed);
    expect(ours.ok, `SIGNATURE_TEST_SEED=${seed}`).toBe(isOnCurve);
  }
});

function isKeyOfOpenssl(der: Buffer): boolean {
  try {
    createPublicKey({ key: der, format: 'der', type: 'spki' });
    return true;
  } catch {
    return false;
  }
}

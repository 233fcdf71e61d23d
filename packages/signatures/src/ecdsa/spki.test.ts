import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { needs } from '../../../../test/support/requirements.ts';
import { decodePoint } from './spki.ts';
import { loadLibsecp256k1Verifier } from './verifiers.ts';

const prime = 2n ** 256n - 2n ** 32n - 977n;
const coordinate = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    fc.bigInt({ min: 0n, max: 50n }),
    fc.bigInt({ min: prime - 50n, max: prime + 50n }),
  )
  .map((number) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex'));

/** Every point as it may be sent, and everything that resembles one. */
function listForms(x: Buffer, first: number, bit: number): Buffer[] {
  const compressed = [2, 3, first].map((form) => Buffer.from([form, ...x]));
  const point = decodePoint(Buffer.from([2, ...x]));
  if (point === null) return compressed;
  const changed = Buffer.from(point);
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  const otherForms = [0, 1, 2, 3, 5, first].map((form) => Buffer.from([form, ...point.subarray(1)]));
  return [
    ...compressed,
    ...otherForms,
    Buffer.from(point),
    changed,
    Buffer.from(point.subarray(0, bit >> 3)),
    Buffer.from([...point, 0]),
  ];
}

if (loadLibsecp256k1Verifier() === null) {
  it('decodes the same points as libsecp256k1', needs('libsecp256k1'), () => {});
} else {
  const require = createRequire(import.meta.url);
  const libsecp256k1: typeof import('secp256k1') = require('secp256k1/bindings');
  const convert = (bytes: Buffer): Buffer | null => {
    try {
      return Buffer.from(libsecp256k1.publicKeyConvert(bytes, false));
    } catch {
      return null;
    }
  };

  it('decodes the same points as libsecp256k1', { tags: ['long'] }, () => {
    const isHybrid = (form: number) => form === 6 || form === 7;
    fc.assert(
      fc.property(
        coordinate,
        fc.nat({ max: 255 }).filter((form) => !isHybrid(form)),
        fc.nat({ max: 65 * 8 - 1 }),
        (x, first, bit) => {
          for (const bytes of listForms(x, first, bit)) {
            if (isHybrid(bytes[0] ?? 0)) continue;
            const point = decodePoint(bytes);
            expect(point && Buffer.from(point)).toEqual(convert(bytes));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('rejects the hybrid forms 06 and 07, which both libraries accept', () => {
    fc.assert(
      fc.property(coordinate, (x) => {
        for (const parity of [2, 3]) {
          const point = decodePoint(Buffer.from([parity, ...x]));
          if (point === null) return;
          const hybrid = Buffer.from([parity + 4, ...point.subarray(1)]);
          expect(convert(hybrid)).toEqual(Buffer.from(point));
          expect(decodePoint(hybrid)).toBeNull();
        }
      }),
    );
  });
}

import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { readCompactSignature } from './compact-signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });

it('reads r and s from DER, however many bytes they have', () => {
  // One in 256 numbers begins with a zero.
  for (let number = 0; number < 2_000; number++) {
    const payload = Buffer.from(String(number));
    const compact = readCompactSignature(sign('sha256', payload, privateKey).toString('base64'));
    expect(compact).toHaveLength(64);
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', payload, key, compact ?? Buffer.alloc(0))).toBe(true);
  }
});

it('keeps 64 bytes as they are', () => {
  const bytes = Buffer.alloc(64, 7);
  expect(readCompactSignature(bytes.toString('base64'))).toEqual(new Uint8Array(bytes));
});

it.each(['', '*', 'c2ln', Buffer.alloc(65, 7).toString('base64'), 'MAA=', 'MAYCAQECAQEA', 'MAMCAQE='])(
  'is null for %j',
  (text) => {
    expect(readCompactSignature(text)).toBeNull();
  },
);

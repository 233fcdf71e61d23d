import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expect, it } from 'vitest';
import { readCompactSignature } from './compact-signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });

it('reads r and s from DER, however many bytes they have', () => {
  // The first bit decides whether DER puts a zero before a number.
  const numbers = [1n, 127n, 128n, 255n, 256n, 2n ** 247n - 1n, 2n ** 247n, 2n ** 255n - 1n, 2n ** 255n];
  for (const r of numbers) {
    for (const s of numbers) {
      const signature = new secp256k1.Signature(r, s);
      const der = Buffer.from(signature.toBytes('der')).toString('base64');
      expect(readCompactSignature(der)).toEqual(signature.toBytes('compact'));
    }
  }
});

it('reads signatures of OpenSSL', () => {
  for (let number = 0; number < 50; number++) {
    const payload = Buffer.from(String(number));
    const compact = readCompactSignature(sign('sha256', payload, privateKey).toString('base64'));
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

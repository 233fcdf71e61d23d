import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { PublicKeyCache } from './public-key-cache.ts';

function createHeader(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  return Buffer.from(publicKey.export({ format: 'pem', type: 'spki' })).toString('base64');
}

function parse(keys: PublicKeyCache, header: string) {
  const result = keys.parse(header);
  if (!result.ok) throw new Error(result.reason);
  return result.key;
}

it('returns the same key for the same text without parsing it again', () => {
  const keys = new PublicKeyCache();
  const header = createHeader();
  expect(parse(keys, header)).toBe(parse(keys, header));
  expect(parse(keys, ` ${header}`).fingerprint).toBe(parse(keys, header).fingerprint);
});

it('holds no more than its limit', () => {
  const keys = new PublicKeyCache(4);
  const [a, b, c, d, e] = [createHeader(), createHeader(), createHeader(), createHeader(), createHeader()];
  const firstA = parse(keys, a);
  for (const header of [b, c, d, e]) parse(keys, header);
  expect(keys.size).toBeLessThanOrEqual(4);
  expect(parse(keys, a)).not.toBe(firstA);
});

it('caches neither rejections nor very long headers', () => {
  const keys = new PublicKeyCache();
  expect(keys.parse('nonsense!').ok).toBe(false);
  expect(keys.parse(createHeader() + ' '.repeat(2000)).ok).toBe(true);
  expect(keys.size).toBe(0);
});

import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { ParsedKeys } from './parsed-keys.ts';

function createHeader(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  return Buffer.from(publicKey.export({ format: 'pem', type: 'spki' })).toString('base64');
}

function parse(keys: ParsedKeys, header: string) {
  const result = keys.parse(header);
  if (!result.ok) throw new Error(result.reason);
  return result.key;
}

it('gives the same key for the same text without parsing it again', () => {
  const keys = new ParsedKeys();
  const header = createHeader();
  expect(parse(keys, header)).toBe(parse(keys, header));
  expect(parse(keys, ` ${header}`).fingerprint).toBe(parse(keys, header).fingerprint);
});

it('holds no more than its limit, and drops what was not used for the longest time', () => {
  const keys = new ParsedKeys(2);
  const [a, b, c] = [createHeader(), createHeader(), createHeader()];
  const firstA = parse(keys, a);
  const firstB = parse(keys, b);
  parse(keys, a);
  parse(keys, c);
  expect(keys.size).toBe(2);
  expect(parse(keys, a)).toBe(firstA);
  expect(parse(keys, b)).not.toBe(firstB);
  expect(keys.size).toBe(2);
});

it('keeps neither refusals nor very long headers', () => {
  const keys = new ParsedKeys();
  expect(keys.parse('nonsense!').ok).toBe(false);
  expect(keys.parse(createHeader() + ' '.repeat(2000)).ok).toBe(true);
  expect(keys.size).toBe(0);
});

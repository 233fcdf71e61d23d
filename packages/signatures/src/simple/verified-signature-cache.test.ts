import { expect, it } from 'vitest';
import { VerifiedSignatureCache } from './verified-signature-cache.ts';

const key = 'aa'.repeat(32);
const otherKey = 'bb'.repeat(32);
const entry = { fingerprint: key, payloadName: 'plain {}', target: 'GET /planets' };

it('finds a signature only for the key and the payload for which it was verified', () => {
  const verified = new VerifiedSignatureCache();
  const otherEntry = { fingerprint: otherKey, payloadName: 'plain a=1', target: null };
  verified.add('one', entry);
  verified.add('other', otherEntry);
  expect(verified.find(key, 'one')).toEqual(entry);
  expect(verified.find(otherKey, 'other')).toEqual(otherEntry);
  expect(verified.find(otherKey, 'one')).toBeUndefined();
  expect(verified.find(key, 'other')).toBeUndefined();
  expect(verified.find(key, 'a third')).toBeUndefined();
});

it('deletes one signature and no other', () => {
  const verified = new VerifiedSignatureCache();
  verified.add('one', entry);
  verified.add('other', entry);
  verified.delete('one');
  expect(verified.find(key, 'one')).toBeUndefined();
  expect(verified.find(key, 'other')).toEqual(entry);
  expect(verified.size).toBe(1);
});

it('holds no more than its limit, and no long targets', () => {
  const verified = new VerifiedSignatureCache(100);
  for (let n = 0; n < 1_000; n++) verified.add(`${n}`, entry);
  expect(verified.size).toBeLessThanOrEqual(100);
  expect(verified.find(key, '999')).toEqual(entry);
  expect(verified.find(key, '0')).toBeUndefined();
  verified.add('long', { ...entry, target: 'x'.repeat(10_000) });
  expect(verified.find(key, 'long')).toEqual({ ...entry, target: null });
});

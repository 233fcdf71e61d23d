import { expect, it } from 'vitest';
import { HashedPayload } from './hashed-payload.ts';
import { VerifiedSignatures } from './verified-signatures.ts';

const key = 'aa'.repeat(32);
const otherKey = 'bb'.repeat(32);
const payload = new HashedPayload(Buffer.from('{}'));
const otherPayload = new HashedPayload(Buffer.from('{"a":1}'));
const signature = Buffer.alloc(64, 1);
const otherSignature = Buffer.alloc(64, 2);

it('knows a signature only for its own key and payload', () => {
  const verified = new VerifiedSignatures();
  verified.add(key, payload, signature);
  expect(verified.has(key, new HashedPayload(Buffer.from('{}')), Uint8Array.from(signature))).toBe(true);
  expect(verified.has(otherKey, payload, signature)).toBe(false);
  expect(verified.has(key, otherPayload, signature)).toBe(false);
  expect(verified.has(key, payload, otherSignature)).toBe(false);
});

it('forgets everything of a key and nothing of others', () => {
  const verified = new VerifiedSignatures();
  verified.add(key, payload, signature);
  verified.add(key, otherPayload, otherSignature);
  verified.add(otherKey, payload, signature);
  verified.forget(key);
  verified.forget('cc'.repeat(32));
  expect(verified.has(key, payload, signature)).toBe(false);
  expect(verified.has(key, otherPayload, otherSignature)).toBe(false);
  expect(verified.has(otherKey, payload, signature)).toBe(true);
  expect(verified.size).toBe(1);
});

it('holds no more than its limit, and drops what was not used for the longest time', () => {
  const verified = new VerifiedSignatures(2);
  verified.add(key, payload, signature);
  verified.add(otherKey, payload, signature);
  verified.has(key, payload, signature);
  verified.add(key, otherPayload, signature);
  expect(verified.size).toBe(2);
  expect(verified.has(otherKey, payload, signature)).toBe(false);
  expect(verified.has(key, payload, signature)).toBe(true);
  verified.forget(key);
  expect(verified.size).toBe(0);
});

it('counts a signature once', () => {
  const verified = new VerifiedSignatures();
  verified.add(key, payload, signature);
  verified.add(key, payload, signature);
  expect(verified.size).toBe(1);
});

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createDataCipher } from './data-cipher.ts';

const key = randomBytes(32);
const cipher = createDataCipher({ key, previousKey: null });
const context = 'the record of one client';
const content = Buffer.from('{"allergies":["penicillin"]}');

describe('the data cipher', () => {
  it('decrypts what it encrypted, of any size', () => {
    for (const each of [content, Buffer.alloc(0), Buffer.alloc(65_536, 7)]) {
      expect(cipher.decrypt(context, cipher.encrypt(context, each)).equals(each)).toBe(true);
    }
  });

  it('shows nothing of the content, and never encrypts it the same way twice', () => {
    const [one, other] = [cipher.encrypt(context, content), cipher.encrypt(context, content)];
    expect(one.ciphertext.includes('penicillin')).toBe(false);
    expect(one.ciphertext.equals(other.ciphertext)).toBe(false);
  });

  it('names the key without showing it', () => {
    expect(cipher.keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(key.toString('hex')).not.toContain(cipher.keyId);
    expect(createDataCipher({ key: Buffer.from(key), previousKey: null }).keyId).toBe(cipher.keyId);
    expect(createDataCipher({ key: randomBytes(32), previousKey: null }).keyId).not.toBe(cipher.keyId);
  });

  it('decrypts nothing in another context', () => {
    const encrypted = cipher.encrypt(context, content);
    for (const other of ['', `${context} `, context.slice(1)]) {
      expect(() => cipher.decrypt(other, encrypted)).toThrow();
    }
  });

  it('decrypts nothing that was changed in any byte, or cut anywhere', () => {
    const { keyId, ciphertext } = cipher.encrypt(context, content);
    for (let at = 0; at < ciphertext.length; at++) {
      const changed = Buffer.from(ciphertext);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => cipher.decrypt(context, { keyId, ciphertext: changed }), `byte ${at}`).toThrow();
      const cut = { keyId, ciphertext: ciphertext.subarray(0, at) };
      expect(() => cipher.decrypt(context, cut), `cut at ${at}`).toThrow();
    }
    const longer = Buffer.concat([ciphertext, Buffer.of(0)]);
    expect(() => cipher.decrypt(context, { keyId, ciphertext: longer })).toThrow();
  });

  it('names a key that is not configured', () => {
    const { ciphertext } = cipher.encrypt(context, content);
    expect(() => cipher.decrypt(context, { keyId: 'unknown', ciphertext })).toThrow(
      'The encryption key unknown is not configured',
    );
  });
});

describe('a cipher whose key was changed', () => {
  const rotated = createDataCipher({ key: randomBytes(32), previousKey: key });

  it('decrypts with both keys, and encrypts with the new one', () => {
    expect(rotated.previousKeyId).toBe(cipher.keyId);
    expect(rotated.decrypt(context, cipher.encrypt(context, content)).equals(content)).toBe(true);
    const encrypted = rotated.encrypt(context, content);
    expect(encrypted.keyId).toBe(rotated.keyId);
    expect(() => cipher.decrypt(context, encrypted)).toThrow();
  });

  it('does not take a ciphertext of one key for that of the other', () => {
    const { ciphertext } = cipher.encrypt(context, content);
    expect(() => rotated.decrypt(context, { keyId: rotated.keyId, ciphertext })).toThrow();
  });

  it('has no previous key if that is the same', () => {
    expect(createDataCipher({ key, previousKey: Buffer.from(key) }).previousKeyId).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { createResponseCipher } from './response-cipher.ts';

const context = 'a credential and its key';
const content = Buffer.from('{"secretKey":"shown once"}');
const cipher = createResponseCipher({ secret: 'the secret', previousSecret: null });

describe('the response cipher', () => {
  it('decrypts what it encrypted', () => {
    for (const each of [content, Buffer.alloc(0), Buffer.alloc(100_000, 7)]) {
      expect(cipher.decrypt(context, cipher.encrypt(context, each)).equals(each)).toBe(true);
    }
  });

  it('shows nothing of the content, and never encrypts it the same way twice', () => {
    const [one, other] = [cipher.encrypt(context, content), cipher.encrypt(context, content)];
    expect(one.includes('shown once')).toBe(false);
    expect(one.equals(other)).toBe(false);
  });

  it('decrypts nothing in another context, or with another secret', () => {
    const encrypted = cipher.encrypt(context, content);
    expect(() => cipher.decrypt(`${context} `, encrypted)).toThrow();
    expect(() => cipher.decrypt('', encrypted)).toThrow();
    expect(() =>
      createResponseCipher({ secret: 'another', previousSecret: null }).decrypt(context, encrypted),
    ).toThrow();
  });

  it('decrypts nothing that was changed in any byte, or cut anywhere', () => {
    const encrypted = cipher.encrypt(context, content);
    for (let at = 0; at < encrypted.length; at++) {
      const changed = Buffer.from(encrypted);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => cipher.decrypt(context, changed), `byte ${at}`).toThrow();
      expect(() => cipher.decrypt(context, encrypted.subarray(0, at)), `cut at ${at}`).toThrow();
    }
    expect(() => cipher.decrypt(context, Buffer.concat([encrypted, Buffer.of(0)]))).toThrow();
  });
});

describe('a cipher whose secret was changed', () => {
  const renewed = createResponseCipher({ secret: 'a new secret', previousSecret: 'the secret' });

  it('opens what was closed before, and closes with the new secret', () => {
    expect(renewed.decrypt(context, cipher.encrypt(context, content)).equals(content)).toBe(true);
    const encrypted = renewed.encrypt(context, content);
    expect(renewed.decrypt(context, encrypted).equals(content)).toBe(true);
    expect(() => cipher.decrypt(context, encrypted)).toThrow();
  });

  it('decrypts nothing of a secret before the previous one', () => {
    const oldest = createResponseCipher({ secret: 'the oldest secret', previousSecret: null });
    expect(() => renewed.decrypt(context, oldest.encrypt(context, content))).toThrow();
  });
});

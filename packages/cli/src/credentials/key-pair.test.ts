import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { apiKeyOf, encodeSecretKey, isKeyPair, readApiKey, readSecretKey } from './key-pair.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const { privateKey: otherCurveKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
const sec1Pem = String(privateKey.export({ type: 'sec1', format: 'pem' }));
const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
const sec1 = privateKey.export({ type: 'sec1', format: 'der' });
const publicPem = String(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));

describe('readSecretKey', () => {
  it.each([
    ['PEM', pem],
    ['PEM of SEC1', sec1Pem],
    ['Base64 of PEM', Buffer.from(pem).toString('base64')],
    ['Base64 of PEM with a line break', `${Buffer.from(pem).toString('base64')}\n`],
    ['Base64 of PKCS#8', pkcs8.toString('base64')],
    ['Base64 of SEC1', sec1.toString('base64')],
    ['the bytes of PEM', Buffer.from(pem)],
    ['the bytes of PKCS#8', pkcs8],
    ['the bytes of SEC1', sec1],
  ])('reads %s', (_form, content) => {
    const read = readSecretKey(content);
    expect(read.equals(privateKey)).toBe(true);
    expect(encodeSecretKey(read)).toBe(Buffer.from(pem).toString('base64'));
    expect(apiKeyOf(read)).toBe(Buffer.from(publicPem).toString('base64'));
  });

  it.each([
    ['nothing', '', 'is not a private key'],
    ['a placeholder', '<YOUR_SECRET>', 'is not a private key'],
    ['a part of it', pem.slice(0, 100), 'is not a private key'],
    [
      'another curve',
      String(otherCurveKey.export({ type: 'pkcs8', format: 'pem' })),
      'is not a secp256k1 key',
    ],
    ['the public key', publicPem, 'is a public key'],
    ['the public key in Base64', Buffer.from(publicPem).toString('base64'), 'is a public key'],
  ])('rejects %s without quoting it', (_form, content, message) => {
    const read = () => readSecretKey(content);
    expect(read).toThrow(message);
    try {
      read();
    } catch (error) {
      for (const line of content.split('\n').filter((each) => each.length > 20)) {
        expect(`${error instanceof Error && error.stack}`).not.toContain(line);
      }
    }
  });
});

describe('readApiKey', () => {
  it.each([
    ['Base64 of PEM', Buffer.from(publicPem).toString('base64')],
    ['the same in quotes', `"${Buffer.from(publicPem).toString('base64')}"`],
    ['PEM', publicPem],
    ['Base64 of DER', createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')],
  ])('reads %s', (_form, content) => {
    expect(isKeyPair(readApiKey(content), privateKey)).toBe(true);
  });

  it.each([
    ['nothing', '', 'is not a public key in PEM'],
    ['the secret key', pem, 'is a private key'],
    ['the secret key in Base64', Buffer.from(pem).toString('base64'), 'is a private key'],
    [
      'another curve',
      String(createPublicKey(otherCurveKey).export({ type: 'spki', format: 'pem' })),
      'is not a secp256k1 key',
    ],
  ])('rejects %s', (_form, content, message) => {
    expect(() => readApiKey(content)).toThrow(message);
  });

  it('does not match the secret key of another pair', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
    expect(isKeyPair(readApiKey(publicPem), other)).toBe(false);
  });
});

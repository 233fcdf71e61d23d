import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSecretKey } from './secret-key.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const scalar = Buffer.from(String(privateKey.export({ format: 'jwk' }).d), 'base64url');
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const sec1Pem = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
const sec1 = privateKey.export({ type: 'sec1', format: 'der' });
const base64 = (value: string | Uint8Array) => Buffer.from(value).toString('base64');

describe('accepts', () => {
  it.each<[string, string | Uint8Array]>([
    ['Base64 of PEM', base64(pem)],
    ['Base64 of PEM on several lines', base64(pem).replaceAll(/(.{64})/g, '$1\r\n')],
    ['base64url without padding', Buffer.from(pem).toString('base64url')],
    ['Base64 in quotes', `"${base64(pem)}"`],
    ['PEM', pem],
    ['PEM with Windows line breaks', pem.replaceAll('\n', '\r\n')],
    ['PEM as bytes', Buffer.from(pem)],
    ['PEM of SEC1', sec1Pem],
    ['Base64 of PEM of SEC1', base64(sec1Pem)],
    [
      'PEM of SEC1 after its parameters',
      `-----BEGIN EC PARAMETERS-----\nBgUrgQQACg==\n-----END EC PARAMETERS-----\n${sec1Pem}`,
    ],
    ['PKCS#8', pkcs8],
    ['PKCS#8 in Base64', base64(pkcs8)],
    ['SEC1', sec1],
    ['SEC1 in Base64', base64(sec1)],
    ['bytes that are not a Buffer', Uint8Array.from(pkcs8)],
  ])('%s', (_form, given) => {
    expect(Buffer.from(readSecretKey(given)).toString('hex')).toBe(scalar.toString('hex'));
  });

  it('a key from OpenSSL', () => {
    const key = execFileSync('openssl', ['ecparam', '-name', 'secp256k1', '-genkey'], { encoding: 'utf8' });
    expect(readSecretKey(key)).toHaveLength(32);
  });

  it('a key whose bytes are overwritten later', () => {
    const given = Uint8Array.from(pkcs8);
    const read = readSecretKey(given);
    given.fill(0);
    expect(Buffer.from(read).equals(scalar)).toBe(true);
  });
});

describe('rejects', () => {
  const otherCurve = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  const ed25519 = generateKeyPairSync('ed25519').privateKey;
  const encrypted = { cipher: 'aes-256-cbc', passphrase: 'secret' };
  const withScalar = (hex: string) =>
    Buffer.from(sec1.toString('hex').replace(scalar.toString('hex'), hex), 'hex');
  const expected = /^secretKey must be a secp256k1 private key/;

  it.each<[string, string | Uint8Array, RegExp]>([
    ['nothing', '', expected],
    ['a text', 'this is not a key', expected],
    ['only the 32 bytes', Uint8Array.from(scalar), expected],
    ['the 32 bytes in hexadecimal', scalar.toString('hex'), expected],
    ['a key that is cut off', pkcs8.subarray(0, -20), expected],
    ['a key with bytes after it', Buffer.concat([pkcs8, Buffer.from([0])]), expected],
    ['PEM that is cut off', pem.slice(0, 120), expected],
    ['zero', withScalar('0'.repeat(64)), expected],
    [
      'the order of the curve',
      withScalar('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'),
      expected,
    ],
    [
      'another curve',
      otherCurve.export({ type: 'pkcs8', format: 'pem' }).toString(),
      /not an elliptic-curve key of the curve secp256k1/,
    ],
    [
      'another curve in SEC1',
      otherCurve.export({ type: 'sec1', format: 'pem' }).toString(),
      /not a key of the curve secp256k1/,
    ],
    [
      'RSA',
      rsa.export({ type: 'pkcs8', format: 'pem' }).toString(),
      /not an elliptic-curve key of the curve secp256k1/,
    ],
    ['RSA in PKCS#1', rsa.export({ type: 'pkcs1', format: 'pem' }).toString(), expected],
    [
      'Ed25519',
      ed25519.export({ type: 'pkcs8', format: 'pem' }).toString(),
      /not an elliptic-curve key of the curve secp256k1/,
    ],
    [
      'an encrypted key',
      privateKey.export({ type: 'pkcs8', format: 'pem', ...encrypted }).toString(),
      /encrypted/,
    ],
    [
      'an encrypted key of SEC1',
      privateKey.export({ type: 'sec1', format: 'pem', ...encrypted }).toString(),
      /encrypted/,
    ],
    ['the public key', publicKey.export({ type: 'spki', format: 'pem' }).toString(), /is a public key/],
    ['the public key without a PEM', publicKey.export({ type: 'spki', format: 'der' }), expected],
  ])('%s', (_what, given, message) => {
    expect(() => readSecretKey(given)).toThrow(message);
  });

  it.each([[null], [undefined], [42], [{}], [[]]])('%j instead of a key', (given) => {
    // @ts-expect-error JavaScript callers can pass anything.
    expect(() => readSecretKey(given)).toThrow(expected);
  });

  it('a key without quoting any part of it', () => {
    for (const given of [`${base64(pem).slice(0, -30)}!`, pem.slice(0, 200), scalar.toString('hex')]) {
      try {
        readSecretKey(given);
        expect.unreachable();
      } catch (error) {
        const { message, stack } = error as Error;
        for (let at = 0; at + 8 < given.length; at += 8) {
          expect(message + stack).not.toContain(given.slice(at, at + 8));
        }
      }
    }
  });
});

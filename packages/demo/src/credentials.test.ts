import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { makeDemoCredentials, readPublicKey } from './credentials.ts';

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

function isPrivateKey(text: string): text is `0x${string}` {
  return /^0x[0-9a-f]{64}$/.test(text);
}

const credentials = await makeDemoCredentials();

describe('makeDemoCredentials', () => {
  it('makes other secrets each time', async () => {
    const secrets = [credentials, await makeDemoCredentials()].flatMap(({ holders, admin }) => [
      admin.walletPrivateKey,
      ...holders.flatMap(({ walletPrivateKey, secretKey }) => [walletPrivateKey, secretKey]),
    ]);
    expect(new Set(secrets).size).toBe(10);
  });

  it('makes wallets with their own addresses, checksum included', () => {
    for (const { walletAddress, walletPrivateKey } of [...credentials.holders, credentials.admin]) {
      if (!isPrivateKey(walletPrivateKey)) throw new Error('Not a private key');
      expect(privateKeyToAddress(walletPrivateKey)).toBe(walletAddress);
    }
  });

  it('makes key pairs on secp256k1 whose halves belong together', () => {
    for (const { apiKey, secretKey } of credentials.holders) {
      const publicKey = createPublicKey(decode(apiKey));
      const privateKey = createPrivateKey(decode(secretKey));
      expect(publicKey.asymmetricKeyDetails?.namedCurve).toBe('secp256k1');
      expect(decode(apiKey)).toContain('-----BEGIN PUBLIC KEY-----');
      expect(decode(secretKey)).toContain('-----BEGIN PRIVATE KEY-----');
      const payload = Buffer.from('{}');
      expect(verify('sha256', payload, publicKey, sign('sha256', payload, privateKey))).toBe(true);
    }
  });

  it('makes key pairs that OpenSSL reads', () => {
    for (const { apiKey, secretKey } of credentials.holders) {
      const derived = execFileSync('openssl', ['pkey', '-pubout', '-outform', 'DER'], {
        input: decode(secretKey),
      });
      const described = execFileSync('openssl', ['pkey', '-pubin', '-noout', '-text'], {
        input: decode(apiKey),
      });
      expect(derived.equals(readPublicKey(apiKey))).toBe(true);
      expect(described.toString()).toContain('secp256k1');
    }
  });
});

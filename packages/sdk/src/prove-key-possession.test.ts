import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { proveKeyPossession } from './prove-key-possession.ts';

const { publicKey: publicPart, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const publicKey = Buffer.from(publicPart.export({ type: 'spki', format: 'pem' })).toString('base64');
const walletAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const issuedAt = new Date('2026-11-15T09:30:00.000Z');
const text = `Keyfront API key
Wallet: 0x71c7656ec7ab88b098defb751b7401b5f6d8976f
Public key: ${publicKey}
Time: 2026-11-15T09:30:00.000Z`;

it('signs the text with the secret key, in any of its forms', async () => {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const signer = {
    sign: async (payload: Uint8Array) => sign('sha256', payload, privateKey).toString('base64'),
  };
  for (const key of [String(pem), Buffer.from(pem), Buffer.from(pem).toString('base64'), signer]) {
    const own = await proveKeyPossession({ walletAddress, publicKey, key, issuedAt });
    expect(own).toMatchObject({ publicKey, proof: { issuedAt: '2026-11-15T09:30:00.000Z' } });
    const signature = Buffer.from(own.proof.signature, 'base64');
    expect(verify('sha256', Buffer.from(text), publicPart, signature)).toBe(true);
  }
});

it('takes the current time by default', async () => {
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const { proof } = await proveKeyPossession({ walletAddress, publicKey, key });
  expect(Math.abs(Date.now() - Date.parse(proof.issuedAt))).toBeLessThan(60_000);
});

import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { createSigner as createNobleSigner } from './noble-signer.ts';
import { createSigner as createNodeSigner } from './node-signer.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const publicKey = createPublicKey(privateKey);
const secretKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const payloads = [
  '{}',
  '',
  'search=lunar%20saffron&take=5',
  '{"name":"é\u{1f331}"}',
  'x'.repeat(100_000),
].map((text) => new TextEncoder().encode(text));

describe.each([
  ['Node', createNodeSigner],
  ['browsers and workers', createNobleSigner],
])('the signer for %s', (_where, createSigner) => {
  it.each(payloads)('creates DER that OpenSSL verifies: %#', async (payload) => {
    const signature = Buffer.from(await createSigner(secretKey).sign(payload), 'base64');
    expect(verify('sha256', payload, publicKey, signature)).toBe(true);
    expect(verify('sha256', Buffer.concat([payload, Buffer.from(' ')]), publicKey, signature)).toBe(false);
  });

  it('accepts a key that starts with zeros', async () => {
    const small = Buffer.from(`302e0201010420${'1'.padStart(64, '0')}a00706052b8104000a`, 'hex');
    const signature = Buffer.from(await createSigner(small).sign(new Uint8Array([1])), 'base64');
    const point = secp256k1.Point.BASE.toBytes(false);
    expect(secp256k1.verify(signature, new Uint8Array([1]), point, { format: 'der', lowS: false })).toBe(
      true,
    );
  });

  it.each([true, false])('has the public key that belongs to it, compressed: %s', async (isCompressed) => {
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const point = secp256k1.Point.fromBytes(spki.subarray(-65)).toBytes(isCompressed);
    const own = await createSigner(secretKey).readPublicKey({ isCompressed });
    expect(Buffer.from(own)).toEqual(Buffer.from(point));
  });

  it('does not show the key', () => {
    expect(JSON.stringify(createSigner(secretKey))).toBe('{}');
  });
});

it('creates signatures with a low s in browsers and workers', async () => {
  const signer = createNobleSigner(secretKey);
  for (let number = 0; number < 20; number++) {
    const signature = Buffer.from(await signer.sign(new Uint8Array([number])), 'base64');
    expect(secp256k1.Signature.fromBytes(signature, 'der').hasHighS()).toBe(false);
  }
});

import { type KeyChange, proveKeyPossession } from '@keyfront/sdk';
import { getKeyfront } from '../../session/keyfront.ts';
import { getSession } from '../../session/session-store.ts';
import type { NewSecret } from './secret-modal.tsx';

/** Makes a key pair here, and registers its public key with a proof that the secret key is here. */
export async function createKey(keyName: string, settings: Omit<KeyChange, 'keyName'>): Promise<NewSecret> {
  const { secretKey, ...own } = await makeProvenPair();
  const { apiKey } = await getKeyfront().keys.create({ keyName, ...own, ...settings });
  return { keyName, apiKey, secretKey };
}

/** The same for a key that replaces another one. The old key is accepted for some time more. */
export async function rotateKey(id: string, overlapSeconds: number): Promise<NewSecret> {
  const { secretKey, ...own } = await makeProvenPair();
  const { apiKey, keyName } = await getKeyfront().keys.rotate(id, { ...own, overlapSeconds });
  return { keyName, apiKey, secretKey };
}

async function makeProvenPair() {
  const walletAddress = getSession()?.walletAddress ?? '';
  // Loaded on demand, because it brings the arithmetic of the curve.
  const { makeKeyPair } = await import('../../crypto/key-pair.ts');
  const { publicKey, secretKey } = makeKeyPair();
  return { secretKey, ...(await proveKeyPossession({ walletAddress, publicKey, key: secretKey })) };
}

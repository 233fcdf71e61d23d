import { createPublicKey, generateKeyPairSync } from 'node:crypto';

interface Wallet {
  /** With the checksum of ERC-55 in its capitals. */
  readonly walletAddress: string;
  readonly walletPrivateKey: string;
}

interface HolderCredentials extends Wallet {
  /** Base64 of the public key's PEM text. */
  readonly apiKey: string;
  /** Base64 of the private key's PEM text. */
  readonly secretKey: string;
}

export interface DemoCredentials {
  readonly holders: readonly [HolderCredentials, HolderCredentials];
  readonly admin: Wallet;
}

/** Other ones each time, never from a seed: a key that stands in public source code is no secret. */
export async function makeDemoCredentials(): Promise<DemoCredentials> {
  return {
    holders: [await makeHolderCredentials(), await makeHolderCredentials()],
    admin: await makeWallet(),
  };
}

/** The public key of an `apiKey` as the database keeps it: SubjectPublicKeyInfo in DER. Throws when it is none. */
export function readPublicKey(apiKey: string): Buffer {
  const pem = Buffer.from(apiKey, 'base64').toString('utf8');
  return createPublicKey(pem).export({ type: 'spki', format: 'der' });
}

async function makeHolderCredentials(): Promise<HolderCredentials> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'secp256k1',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { ...(await makeWallet()), apiKey: encodeBase64(publicKey), secretKey: encodeBase64(privateKey) };
}

async function makeWallet(): Promise<Wallet> {
  // Wallets are made once, and the service starts many times.
  const { generatePrivateKey, privateKeyToAccount } = await import('viem/accounts');
  const walletPrivateKey = generatePrivateKey();
  return { walletAddress: privateKeyToAccount(walletPrivateKey).address, walletPrivateKey };
}

function encodeBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

import { createPublicKey, generateKeyPairSync } from 'node:crypto';

interface Wallet {
  /** With ERC-55 checksum. */
  readonly walletAddress: string;
  readonly walletPrivateKey: string;
}

interface HolderCredentials extends Wallet {
  /** Base64 of the PEM text of the public key. */
  readonly apiKey: string;
  /** Base64 of the PEM text of the private key. */
  readonly secretKey: string;
}

export interface DemoCredentials {
  readonly holders: readonly [HolderCredentials, HolderCredentials];
  readonly admin: Wallet;
}

/** Makes random credentials, never from the seed: a key derived from public source code is no secret. */
export async function makeDemoCredentials(): Promise<DemoCredentials> {
  return {
    holders: [await makeHolderCredentials(), await makeHolderCredentials()],
    admin: await makeWallet(),
  };
}

/** Reads the public key of an `apiKey` as stored in the database: SubjectPublicKeyInfo in DER. Throws if it is invalid. */
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
  // Loaded on first use: wallets are made once, and the service starts often.
  const { generatePrivateKey, privateKeyToAccount } = await import('viem/accounts');
  const walletPrivateKey = generatePrivateKey();
  return { walletAddress: privateKeyToAccount(walletPrivateKey).address, walletPrivateKey };
}

function encodeBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

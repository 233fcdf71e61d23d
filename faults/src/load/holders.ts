import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount, sign as signHash } from 'viem/accounts';

/** The credentials of a holder. */
export interface HolderCredentials {
  readonly apiKey: string;
  readonly secretKey: string;
}

export interface DemoHolder extends HolderCredentials {
  readonly primaryTokenId: number;
  readonly walletPrivateKey: `0x${string}`;
}

/** The holders and the administrator of the demo. */
export interface Demo {
  readonly holders: readonly [DemoHolder, DemoHolder];
  readonly admin: { readonly walletPrivateKey: `0x${string}` };
}

/** Reads who takes part in the demo of a service. */
export function readDemo(dataFolder: string): Demo {
  return JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8'));
}

const encode = (pem: string | Buffer) => Buffer.from(pem).toString('base64');

/** A key pair that the service has never seen. */
export function makeUpKey(): HolderCredentials {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  return {
    apiKey: encode(publicKey.export({ type: 'spki', format: 'pem' })),
    secretKey: encode(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

/** The headers of a request that is signed in the simple form: a signature of its body or its query, or of `{}`. */
export function signSimply(
  { apiKey, secretKey }: HolderCredentials,
  payload: string | Uint8Array = '{}',
): Record<string, string> {
  const key = createPrivateKey(Buffer.from(secretKey, 'base64').toString());
  const signature = sign('sha256', Buffer.from(payload), key).toString('base64');
  return { 'x-auth-apikey': apiKey, 'x-auth-signature': signature };
}

/** What comes before the point of a secp256k1 key in SubjectPublicKeyInfo. */
const spkiPrefix = '3056301006072a8648ce3d020106052b8104000a034200';
const emptyHash = `0x${createHash('sha256').update('{}').digest('hex')}` as const;

/** The headers of a request without a body that is signed with a key that the service has never seen. Quick, for thousands of them. */
export async function makeUpSignature(): Promise<Record<string, string>> {
  const privateKey = generatePrivateKey();
  const { publicKey } = privateKeyToAccount(privateKey);
  const signature = await signHash({ hash: emptyHash, privateKey, to: 'hex' });
  return {
    'x-auth-apikey': Buffer.from(spkiPrefix + publicKey.slice(2), 'hex').toString('base64'),
    // r and s, without the bit by which a wallet's signature names its key.
    'x-auth-signature': Buffer.from(signature.slice(2, 130), 'hex').toString('base64'),
  };
}

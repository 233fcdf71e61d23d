import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** A key pair that the service has never seen. */
export function makeUpKey(): HolderCredentials {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const encode = (pem: string | Buffer) => Buffer.from(pem).toString('base64');
  return {
    apiKey: encode(publicKey.export({ type: 'spki', format: 'pem' })),
    secretKey: encode(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

/** The headers of a request that is signed in the simple form: a signature of its body, or of `{}`. */
export function signSimply(
  { apiKey, secretKey }: HolderCredentials,
  payload: string | Uint8Array = '{}',
): Record<string, string> {
  const key = createPrivateKey(Buffer.from(secretKey, 'base64').toString());
  const signature = sign('sha256', Buffer.from(payload), key).toString('base64');
  return { 'x-auth-apikey': apiKey, 'x-auth-signature': signature };
}

import { generateKeyPairSync } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { misuse } from '../failure.ts';
import { apiKeyOf } from './key-pair.ts';

/**
 * Makes a pair, keeps its secret in a new file, and hands the public key on. The file is there first: a key whose secret
 * could not be kept would be of no use. It goes away again if the public key is not taken.
 */
export async function withSecretKeyFile<Result>(
  path: string,
  use: (apiKey: string) => Promise<Result>,
): Promise<Result> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  await writeNewFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  try {
    return await use(apiKeyOf(privateKey));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function writeNewFile(path: string, content: string | Buffer): Promise<void> {
  try {
    await writeFile(path, content, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // What is there may be the secret of another key.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw misuse(`${path} is there already: name a new file`);
    }
    throw error;
  }
}

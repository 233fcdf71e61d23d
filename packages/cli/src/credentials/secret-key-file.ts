import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { usageError } from '../cli-error.ts';

/**
 * Generates a key pair, saves the secret key in a new file and passes the pair on. The file is written first, because
 * a registered key is useless if its secret key could not be saved. The file is removed if the registration fails.
 */
export async function createKeyPairFile<Result>(
  path: string,
  register: (secretKey: KeyObject) => Promise<Result>,
): Promise<Result> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  await writeNewFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  try {
    return await register(privateKey);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function writeNewFile(path: string, content: string | Buffer): Promise<void> {
  try {
    await writeFile(path, content, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // The existing file may be the only copy of another secret key.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw usageError(`${path} already exists. Choose another file name.`);
    }
    throw error;
  }
}

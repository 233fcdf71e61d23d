import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataKeyBytes } from '../../lib/encryption/data-cipher.ts';
import { errorCode } from '../../lib/errors/error-code.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import { writeSecretFile } from '../../lib/secret-file.ts';

/** The secrets of a service with an embedded database. Created at the first start and stored in the data folder. */
export interface Secrets {
  readonly jwtSecret: string;
  /** In hexadecimal. */
  readonly dataEncryptionKey: string;
  readonly databaseOwnerPassword: string;
  readonly databaseLoginPassword: string;
}

const names = ['jwtSecret', 'dataEncryptionKey', 'databaseOwnerPassword', 'databaseLoginPassword'] as const;

/** Reads the secrets of a data folder and creates those that are missing. The caller holds the lock of the folder. */
export async function readOrCreateSecrets(folder: string): Promise<Secrets> {
  const path = join(folder, 'secrets.json');
  const stored = await readStored(path);
  const secrets = {
    jwtSecret: stored.jwtSecret ?? createSecret(),
    dataEncryptionKey: stored.dataEncryptionKey ?? randomBytes(dataKeyBytes).toString('hex'),
    databaseOwnerPassword: stored.databaseOwnerPassword ?? createSecret(),
    databaseLoginPassword: stored.databaseLoginPassword ?? createSecret(),
  };
  if (names.some((name) => stored[name] === undefined)) {
    await writeSecretFile(path, `${JSON.stringify(secrets, null, 2)}\n`);
  }
  return secrets;
}

async function readStored(path: string): Promise<Partial<Secrets>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new StartError(`The secrets in ${path} cannot be read: make the file readable by this user.`, {
      cause: error,
    });
  }
  try {
    const parsed: unknown = JSON.parse(text);
    const fields = Object.entries(Object(parsed)).filter((entry) => typeof entry[1] === 'string');
    return Object.fromEntries(fields);
  } catch (error) {
    throw new StartError(
      `The secrets in ${path} are damaged: restore the file, or remove the whole data folder.`,
      {
        cause: error,
      },
    );
  }
}

function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { StartError } from '../start-error.ts';
import { writeSecretFile } from './secret-file.ts';

/** What the embedded database and a service without settings need, made once and kept in the data folder. */
export interface Secrets {
  readonly jwtSecret: string;
  readonly databaseOwnerPassword: string;
  readonly databaseLoginPassword: string;
}

const names = ['jwtSecret', 'databaseOwnerPassword', 'databaseLoginPassword'] as const;

/** Reads the secrets of a data folder, and makes those that are missing. The caller holds the folder's lock. */
export async function readOrMakeSecrets(folder: string): Promise<Secrets> {
  const path = join(folder, 'secrets.json');
  const kept = await readKept(path);
  const secrets = {
    jwtSecret: kept.jwtSecret ?? newSecret(),
    databaseOwnerPassword: kept.databaseOwnerPassword ?? newSecret(),
    databaseLoginPassword: kept.databaseLoginPassword ?? newSecret(),
  };
  if (names.some((name) => kept[name] === undefined)) {
    await writeSecretFile(path, `${JSON.stringify(secrets, null, 2)}\n`);
  }
  return secrets;
}

async function readKept(path: string): Promise<Partial<Secrets>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new StartError(`The secrets in ${path} cannot be read: make the file readable to this user.`, {
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

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

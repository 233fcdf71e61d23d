import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRunningServer } from '@keyfront/embedded-postgres';

/** Finds the embedded database of a running service. The URL connects as the owner of the database. */
export async function findOwnerUrl(dataFolder: string): Promise<string> {
  const secrets = JSON.parse(await readFile(join(dataFolder, 'secrets.json'), 'utf8'));
  const owner = { name: 'keyfront_owner', password: secrets.databaseOwnerPassword };
  return (await findRunningServer(dataFolder, 'keyfront', owner)).ownerUrl;
}

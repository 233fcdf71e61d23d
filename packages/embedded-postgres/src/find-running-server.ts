import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { readProcessIdentity } from './process-identity.ts';
import { buildUrl, type RoleCredentials } from './start-embedded-postgres.ts';

/** A server that another process has started. */
export interface RunningServer {
  /** Connects to the database as its owner. */
  ownerUrl: string;
}

/** Finds the server that another process runs on a data folder. Throws when there is none that accepts connections. */
export async function findRunningServer(
  dataFolder: string,
  database: string,
  owner: RoleCredentials,
): Promise<RunningServer> {
  const cluster = join(await realpath(dataFolder), 'postgres');
  const file = await readPostmasterFile(cluster);
  if (!file?.pid || !file.port || !file.isReady || readProcessIdentity(file.pid) === null) {
    throw new EmbeddedPostgresError('SERVER_NOT_RUNNING', `No PostgreSQL server is running on ${cluster}`);
  }
  return { ownerUrl: buildUrl(owner, file.port, database) };
}

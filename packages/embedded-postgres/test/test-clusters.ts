import { randomBytes } from 'node:crypto';
import { Client, type QueryResultRow } from 'pg';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../src/start-embedded-postgres.ts';

// Names and passwords with characters that mean something to SQL, to shells and in URLs.
export const owner = { name: 'app owner', password: `owner/${randomBytes(12).toString('hex')} @:%` };
export const login = { name: 'app_login', password: `login'${randomBytes(12).toString('hex')}` };

const started: EmbeddedPostgres[] = [];

/** Starts a cluster, which `stopClusters` stops. */
export async function startCluster(
  dataFolder: string,
  changes: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataFolder,
    database: 'app',
    owner,
    login,
    durable: false,
    ...changes,
  });
  started.push(postgres);
  return postgres;
}

export async function stopClusters(): Promise<void> {
  for (const postgres of started.splice(0)) await postgres.stop();
}

/** Runs a statement on a connection of its own. */
export async function query<Row extends QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

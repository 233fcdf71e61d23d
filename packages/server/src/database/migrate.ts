import pg from 'pg';
import { StartError } from '../start-error.ts';
import { addSessionSettings, describeAddress, readUser } from './connection-url.ts';
import type { Migration } from './migrations.ts';
import { ensureRoles, platformRole, serviceRole } from './roles.ts';

export interface MigrateOptions {
  /** Connects as the owner of the schema. */
  readonly ownerUrl: string;
  /** Connects as the service. Its user is granted the two roles. */
  readonly loginUrl: string;
  readonly migrations: readonly Migration[];
  readonly onProgress?: (message: string) => void;
}

const minimumVersion = { number: 150_000, name: '15' };
// An arbitrary number that is the same in every process.
const migrationLock = 7_305_011_940;

/** Applies pending migrations. Several processes may call it at the same time: one migrates, the others wait. */
export async function migrate({ ownerUrl, loginUrl, migrations, onProgress }: MigrateOptions): Promise<void> {
  const client = new pg.Client({
    connectionString: addSessionSettings(ownerUrl, {
      search_path: 'keyfront',
      client_min_messages: 'warning',
    }),
    connectionTimeoutMillis: 10_000,
  });
  // An 'error' event without a listener ends the process. The next query rejects as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw createUnreachableError(ownerUrl, error);
  }
  try {
    await checkServerVersion(client);
    await acquireLock(client, onProgress);
    await ensureRoles(client, readUser(loginUrl) || (await readCurrentUser(client)));
    await ensureMigrationsTable(client);
    const pending = await findPending(client, migrations);
    for (const migration of pending) {
      onProgress?.(`Applying migration ${migration.name}`);
      await apply(client, migration);
    }
  } finally {
    await client.end();
  }
}

function createUnreachableError(url: string, cause: unknown): StartError {
  const reason = cause instanceof Error ? cause.message || String(cause) : String(cause);
  return new StartError(
    `The database at ${describeAddress(url)} cannot be used (${reason}): check DATABASE_URL and that the server is running.`,
    { cause },
  );
}

async function checkServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name`,
  );
  const version = rows[0];
  if (version && version.number < minimumVersion.number) {
    throw new StartError(
      `The database is PostgreSQL ${version.name}, and Keyfront needs ${minimumVersion.name} or newer: upgrade it, or ` +
        `remove DATABASE_URL to use the embedded database.`,
    );
  }
}

async function acquireLock(client: pg.Client, onProgress: MigrateOptions['onProgress']): Promise<void> {
  const { rows } = await client.query<{ isAcquired: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS "isAcquired"',
    [migrationLock],
  );
  if (rows[0]?.isAcquired) return;
  onProgress?.('Waiting for another process that is migrating the database');
  await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
}

async function readCurrentUser(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT current_user AS name');
  return rows[0]?.name ?? '';
}

async function ensureMigrationsTable(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE SCHEMA IF NOT EXISTS keyfront;
    CREATE TABLE IF NOT EXISTS migrations (
      name text PRIMARY KEY,
      checksum text NOT NULL,
      applied_at timestamptz(3) NOT NULL DEFAULT now()
    );
    GRANT SELECT ON migrations TO ${serviceRole}, ${platformRole};
    GRANT USAGE ON SCHEMA keyfront TO ${serviceRole}, ${platformRole};`);
}

async function findPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM migrations ORDER BY name',
  );
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const applied of rows) {
    const file = known.get(applied.name);
    if (!file) {
      throw new StartError(
        `The database has the migration ${applied.name}, which this version of Keyfront does not have: start the ` +
          `version that applied it, or a newer one.`,
      );
    }
    if (file.checksum !== applied.checksum) {
      throw new StartError(
        `The migration ${applied.name} was changed after it was applied to this database: restore the file, and ` +
          `write the change as a new migration.`,
      );
    }
  }
  const applied = new Set(rows.map((row) => row.name));
  const newest = rows.at(-1)?.name ?? '';
  const pending = migrations.filter((migration) => !applied.has(migration.name));
  const late = pending.find((migration) => migration.name < newest);
  if (late) {
    throw new StartError(
      `The migration ${late.name} comes before ${newest}, which is already applied: give it the next free number.`,
    );
  }
  return pending;
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(migration.sql);
    await client.query('INSERT INTO keyfront.migrations (name, checksum) VALUES ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The migration ${migration.name} failed and was rolled back (${reason}): remove the cause and start again.`,
      { cause: error },
    );
  }
}

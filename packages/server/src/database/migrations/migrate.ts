import { setTimeout as delay } from 'node:timers/promises';
import { readUser } from '@keyfront/postgres';
import { StartError } from '../../lib/errors/start-error.ts';
import { adminRole, holderRole } from '../connection/role-names.ts';
import { explainConnectFailure, explainStartFailure } from '../connection/start-failure.ts';
import { applyMigration, retryForLocks } from './apply-migration.ts';
import { defaultTiming, MigrationSession, type MigrationTiming } from './migration-session.ts';
import { baselineName, type Migration } from './migrations.ts';
import { findPending } from './pending-migrations.ts';
import { ensureWorkQueue } from './queue-schema.ts';
import { ensureRoles, verifyPrivileges } from './roles.ts';
import { verifyMigrated } from './verify-migrated.ts';

export interface MigrateOptions {
  /** Connects as the owner of the schema. Another user can only verify that nothing is left to migrate. */
  readonly ownerUrl: string;
  /** Connects as the service. Its user is granted the two roles. */
  readonly loginUrl: string;
  readonly migrations: readonly Migration[];
  /** The folder of the embedded database. Null for another one. */
  readonly dataFolder?: string | null;
  readonly onProgress?: (message: string) => void;
  /** Aborted when the process is told to stop. The call then rejects soon, and the running migration is undone. */
  readonly signal?: AbortSignal | undefined;
  readonly timing?: Partial<MigrationTiming>;
}

const minimumVersion = { number: 150_000, name: '15' };
// An arbitrary number that is the same in every process.
const migrationLock = 7_305_011_940;
const lockPollMs = 100;

/** Applies pending migrations. Several processes may call it at the same time: one migrates, the others wait. */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { ownerUrl, loginUrl, migrations, onProgress = () => undefined, signal } = options;
  const timing = { ...defaultTiming, ...options.timing };
  let session: MigrationSession;
  try {
    session = await MigrationSession.open({ url: ownerUrl, timing, signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw explainConnectFailure(ownerUrl, error);
  }
  try {
    await checkServerVersion(session);
    await acquireLock(session, onProgress);
    if (!(await mayMigrate(session))) return await verifyMigrated(session, migrations);
    await retryForLocks(session, async () => {
      await ensureRoles(session, readUser(loginUrl) || (await readCurrentUser(session)));
      await ensureMigrationsTable(session);
    });
    for (const migration of await findPending(session, migrations, options.dataFolder)) {
      onProgress(
        migration.name === baselineName ? 'Creating the schema' : `Applying migration ${migration.name}`,
      );
      await applyMigration(session, migration, onProgress);
    }
    await ensureWorkQueue(session, ownerUrl);
    await verifyPrivileges(session);
  } catch (error) {
    // Every statement fails once the signal is aborted. The reason is the signal.
    signal?.throwIfAborted();
    throw explainStartFailure(ownerUrl, error);
  } finally {
    await session.close();
  }
}

async function checkServerVersion(session: MigrationSession): Promise<void> {
  const [version] = await session.query<{ number: number; name: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name`,
  );
  if (version && version.number < minimumVersion.number) {
    throw new StartError(
      `The database is PostgreSQL ${version.name}, and Keyfront needs ${minimumVersion.name} or newer: upgrade it, or ` +
        `remove DATABASE_URL to use the embedded database.`,
    );
  }
}

/**
 * Waits for its turn by trying again. A session that waits inside a statement holds a snapshot, and an index that another
 * process creates concurrently would wait for it forever.
 */
async function acquireLock(session: MigrationSession, onProgress: (message: string) => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const [row] = await session.query<{ isAcquired: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS "isAcquired"',
      [migrationLock],
    );
    if (row?.isAcquired) return;
    if (attempt === 1) onProgress('Waiting for another process that is migrating the database');
    await delay(lockPollMs, undefined, { signal: session.signal });
  }
}

/** Whether the user owns the schema, or may create it. */
async function mayMigrate(session: MigrationSession): Promise<boolean> {
  const [row] = await session.query<{ mayMigrate: boolean }>(
    `SELECT coalesce(
       (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'keyfront'),
       has_database_privilege(current_database(), 'CREATE')
     ) AS "mayMigrate"`,
  );
  return row?.mayMigrate === true;
}

async function readCurrentUser(session: MigrationSession): Promise<string> {
  const [row] = await session.query<{ name: string }>('SELECT current_user AS name');
  return row?.name ?? '';
}

async function ensureMigrationsTable(session: MigrationSession): Promise<void> {
  await session.query(`
    CREATE SCHEMA IF NOT EXISTS keyfront;
    CREATE TABLE IF NOT EXISTS migrations (
      name text PRIMARY KEY,
      checksum text NOT NULL,
      applied_at timestamptz(3) NOT NULL DEFAULT now()
    );
    GRANT SELECT ON migrations TO ${holderRole}, ${adminRole};
    GRANT USAGE ON SCHEMA keyfront TO ${holderRole}, ${adminRole};`);
}

import { openSessionPool } from '@keyfront/postgres';
import { queueSchema } from '../connection/queue-settings.ts';
import { adminRole } from '../connection/role-names.ts';
import type { MigrationSession } from './migration-session.ts';

/** The newest migration of graphile-worker that this version of it has. */
const queueVersion = 19;

// `to_regclass` fails for a schema that the user may not use.
const readState = `
  SELECT EXISTS (
      SELECT FROM pg_class WHERE relname = '_private_jobs' AND relnamespace = to_regnamespace('${queueSchema}')
    ) AS "isInstalled",
    coalesce(has_schema_privilege('${adminRole}', to_regnamespace('${queueSchema}')::oid, 'USAGE'), false) AS "isGranted"`;
const readVersion = `SELECT coalesce(max(id), 0) AS version FROM ${queueSchema}.migrations`;

// graphile-worker turns row-level security on without a policy, so that only the owner of its tables can use them.
const grantQueue = `
  DO $$
  DECLARE
    target regclass;
  BEGIN
    GRANT USAGE ON SCHEMA ${queueSchema} TO ${adminRole};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${queueSchema} TO ${adminRole};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${queueSchema} TO ${adminRole};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${queueSchema} TO ${adminRole};
    FOR target IN SELECT oid FROM pg_class
      WHERE relnamespace = '${queueSchema}'::regnamespace AND relkind = 'r' AND relrowsecurity
    LOOP
      EXECUTE format('DROP POLICY IF EXISTS platform ON %s', target);
      EXECUTE format('CREATE POLICY platform ON %s TO ${adminRole} USING (true) WITH CHECK (true)', target);
    END LOOP;
  END
  $$`;

/** Creates or upgrades the schema of the work queue, for the role of jobs. The caller holds the lock of migrations. */
export async function ensureWorkQueue(owner: MigrationSession, ownerUrl: string): Promise<void> {
  const { isInstalled, isGranted } = await readQueueState(owner);
  const isCurrent = isInstalled && (await hasQueueVersion(owner));
  if (!isCurrent) await runQueueMigrations(ownerUrl);
  if (!isCurrent || !isGranted) await owner.query(grantQueue);
}

/** Whether the role of jobs, which this session has, can use the newest schema of the work queue. */
export async function isWorkQueueReady(session: MigrationSession): Promise<boolean> {
  const { isInstalled, isGranted } = await readQueueState(session);
  return isInstalled && isGranted && (await hasQueueVersion(session));
}

async function readQueueState(
  session: MigrationSession,
): Promise<{ isInstalled: boolean; isGranted: boolean }> {
  const [state] = await session.query<{ isInstalled: boolean; isGranted: boolean }>(readState);
  return state ?? { isInstalled: false, isGranted: false };
}

async function hasQueueVersion(session: MigrationSession): Promise<boolean> {
  const [installed] = await session.query<{ version: number }>(readVersion);
  return (installed?.version ?? 0) >= queueVersion;
}

async function runQueueMigrations(ownerUrl: string): Promise<void> {
  // Loaded only where it is needed: it is large.
  const { Logger, runMigrations } = await import('graphile-worker');
  const pool = openSessionPool({
    url: ownerUrl,
    role: null,
    size: 1,
    durable: true,
    onIdleError: () => undefined,
  });
  try {
    await runMigrations({ pgPool: pool, schema: queueSchema, logger: new Logger(() => () => undefined) });
  } finally {
    await pool.end();
  }
}

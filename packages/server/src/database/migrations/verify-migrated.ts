import { StartError } from '../../lib/errors/start-error.ts';
import { adminRole } from '../connection/role-names.ts';
import type { MigrationSession } from './migration-session.ts';
import type { Migration } from './migrations.ts';
import { findPending } from './pending-migrations.ts';
import { isWorkQueueReady } from './queue-schema.ts';
import { switchToAdminRole, verifyPrivileges } from './roles.ts';

/**
 * Verifies, as a user who does not own the schema, that nothing is left to migrate. Instances that serve therefore do
 * not need the password of the owner.
 */
export async function verifyMigrated(
  session: MigrationSession,
  migrations: readonly Migration[],
): Promise<void> {
  const [found] = await session.query<{ user: string; hasTable: boolean }>(
    `SELECT current_user AS user,
       to_regrole('${adminRole}') IS NOT NULL AND EXISTS (
         SELECT FROM pg_class WHERE relname = 'migrations' AND relnamespace = to_regnamespace('keyfront')
       ) AS "hasTable"`,
  );
  const refuse = (reason: string): never => {
    throw new StartError(
      `${reason}, and the database user ${found?.user} does not own the schema: run "keyfront-server migrate" with ` +
        'DATABASE_OWNER_URL as the owner, then start again.',
    );
  };
  if (!found?.hasTable) return refuse('The database is not migrated');
  await switchToAdminRole(session, found.user);
  const [next] = await findPending(session, migrations);
  if (next) refuse(`The database lacks the migration ${next.name}`);
  if (!(await isWorkQueueReady(session))) refuse('The work queue is not up to date');
  await verifyPrivileges(session);
}

import pg from 'pg';
import { StartError } from '../start-error.ts';
import type { MigrationSession } from './migration-session.ts';

/** The role for holders. Row-level security limits it to the current scope. */
export const serviceRole = 'keyfront_service';
/** The role for administrators and jobs. Its policies allow the rows of all scopes. */
export const platformRole = 'keyfront_platform';

/**
 * Creates the two roles of the service and grants them to `login`. They own nothing, cannot log in and cannot bypass
 * row-level security. This runs at every start, because roles belong to the cluster: a database that was restored into
 * another cluster comes without them.
 */
export async function ensureRoles(owner: MigrationSession, login: string): Promise<void> {
  for (const role of [serviceRole, platformRole]) {
    try {
      await owner.query(createRole(role));
      await owner.query(grantRole(role, login));
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === '42501') {
        throw new StartError(
          `The database user may not create the role ${role}: ask a database administrator to run ` +
            `"CREATE ROLE ${role} NOLOGIN; GRANT ${role} TO ${pg.escapeIdentifier(login)};" once, then start again.`,
        );
      }
      throw error;
    }
  }
}

// Advisory locks belong to one database, so two services on one cluster may create the role at the same time.
const createRole = (role: string): string => `
  DO $$
  BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
      CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END
  $$`;

const grantRole = (role: string, login: string): string => `
  DO $$
  BEGIN
    IF NOT pg_has_role(${pg.escapeLiteral(login)}, '${role}', 'MEMBER') THEN
      GRANT ${role} TO ${pg.escapeIdentifier(login)};
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END
  $$`;

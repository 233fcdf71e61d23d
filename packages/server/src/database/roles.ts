import pg from 'pg';
import { StartError } from '../start-error.ts';

/** Works inside a holder's scope; row-level security shows it nothing outside. */
export const serviceRole = 'keyfront_service';
/** Works across scopes, through policies of its own: administrators and jobs. */
export const platformRole = 'keyfront_platform';

/**
 * Makes the two roles the service works under and lets `login` take them on. Both own nothing, cannot log in by
 * themselves and cannot bypass row-level security. Done at every start: roles belong to the cluster and do not come
 * along when a database is restored into another one.
 */
export async function ensureRoles(owner: pg.Client, login: string): Promise<void> {
  for (const role of [serviceRole, platformRole]) {
    try {
      await owner.query(createRole(role));
      await owner.query(grantRole(role, login));
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === '42501') {
        throw new StartError(
          `The database user may not create the role ${role}: let an administrator of the database run ` +
            `"CREATE ROLE ${role} NOLOGIN; GRANT ${role} TO ${pg.escapeIdentifier(login)};" once, then start again.`,
        );
      }
      throw error;
    }
  }
}

// Advisory locks do not reach across databases of one cluster, so two starts may race here: the loser finds it made.
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

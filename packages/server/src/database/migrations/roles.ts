import pg from 'pg';
import { StartError } from '../../lib/errors/start-error.ts';
import { adminRole, holderRole } from '../connection/role-names.ts';
import type { MigrationSession } from './migration-session.ts';

const roles = [holderRole, adminRole];

const insufficientPrivilege = '42501';

/**
 * Creates the two roles of the service and grants them to `login`. They own nothing, cannot log in and cannot bypass
 * row-level security. This runs at every start, because roles belong to the cluster: a database that was restored into
 * another cluster comes without them.
 */
export async function ensureRoles(owner: MigrationSession, login: string): Promise<void> {
  for (const role of roles) {
    await runOrAdvise(
      owner,
      createRole(role),
      `The database user may not create the role ${role}: ask a database administrator to run ` +
        `"${roles.map((each) => `CREATE ROLE ${each} NOLOGIN;`).join(' ')}" and ${adviseGrant(login)}`,
    );
    await runOrAdvise(owner, grantRole(role, login), describeMissing(role, login));
    await runOrAdvise(owner, disinheritRole(role, login), describeInherited(role, login));
  }
}

/** Gives a session of the user `login` the role for administrators and jobs. */
export function switchToAdminRole(session: MigrationSession, login: string): Promise<void> {
  return runOrAdvise(session, `SET ROLE ${adminRole}`, describeMissing(adminRole, login));
}

const describeMissing = (role: string, login: string): string =>
  `The database user ${pg.escapeIdentifier(login)} may not switch to the role ${role}: ask a database ` +
  `administrator to run ${adviseGrant(login)}`;

/** Says what to do about a user who has the privileges of a role on every connection. */
export const describeInherited = (role: string, login: string): string =>
  `The database user ${pg.escapeIdentifier(login)} has the privileges of the role ${role} without switching to it, so that ` +
  `nothing keeps the data of holders apart on a connection without a role: ask a database administrator to run ${adviseGrant(login)}`;

const adviseGrant = (login: string): string =>
  `"${grantStatement(login)};" once (before PostgreSQL 16, "GRANT ${roles.join(', ')} TO ${pg.escapeIdentifier(login)}; ` +
  `ALTER ROLE ${pg.escapeIdentifier(login)} NOINHERIT;"), then start again.`;

async function runOrAdvise(session: MigrationSession, text: string, advice: string): Promise<void> {
  try {
    await session.query(text);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === insufficientPrivilege) {
      throw new StartError(advice, { cause: error });
    }
    throw error;
  }
}

const grantStatement = (login: string, granted = roles): string =>
  `GRANT ${granted.join(', ')} TO ${pg.escapeIdentifier(login)} WITH INHERIT FALSE, SET TRUE`;

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

/**
 * A member may switch to a role. Since PostgreSQL 16 that is a separate option of the membership, which whoever creates a
 * role does not get, unless they are a superuser. They may grant it to themselves.
 */
const grantRole = (role: string, login: string): string => `
  DO $$
  BEGIN
    IF current_setting('server_version_num')::int < 160000 THEN
      IF NOT pg_has_role(${pg.escapeLiteral(login)}, '${role}', 'MEMBER') THEN
        GRANT ${role} TO ${pg.escapeIdentifier(login)};
      END IF;
    ELSIF NOT pg_has_role(${pg.escapeLiteral(login)}, '${role}', 'SET') THEN
      EXECUTE ${pg.escapeLiteral(grantStatement(login, [role]))};
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END
  $$`;

/**
 * Whether a user has the privileges of a role without switching to it. That of an owner of the schema does not matter: an owner can change
 * the policies.
 */
const inherits = (login: string, role: string, owner: string): string =>
  `pg_has_role(${login}, ${role}, 'USAGE') AND NOT pg_has_role(${login}, ${owner}, 'USAGE')`;

/** Whether the user who has logged in inherits the role that the session has switched to. */
export const inheritsCurrentRole = inherits(
  'session_user',
  'current_user',
  `(SELECT nspowner FROM pg_namespace WHERE nspname = 'keyfront')`,
);

/**
 * Takes the privileges of a role from its member, who can still switch to it. Since PostgreSQL 16 that is an option of each membership, of
 * which there may be one from each grantor. Before, it is an attribute of the member.
 */
const disinheritRole = (role: string, login: string): string => `
  DO $$
  DECLARE
    by_whom regrole;
  BEGIN
    IF NOT (${inherits(pg.escapeLiteral(login), `'${role}'`, 'current_user')}) THEN RETURN; END IF;
    IF current_setting('server_version_num')::int < 160000 THEN
      ALTER ROLE ${pg.escapeIdentifier(login)} NOINHERIT;
      RETURN;
    END IF;
    FOR by_whom IN EXECUTE 'SELECT grantor::regrole FROM pg_auth_members WHERE roleid = $1::regrole
      AND member = quote_ident($2)::regrole AND inherit_option' USING '${role}', ${pg.escapeLiteral(login)}
    LOOP
      EXECUTE format('GRANT ${role} TO %I WITH INHERIT FALSE GRANTED BY %s', ${pg.escapeLiteral(login)}, by_whom);
    END LOOP;
  END
  $$`;

/**
 * Throws a `StartError` if the roles lack privileges or policies that the migrations have given them. This is what a
 * restore leaves if the roles did not exist, or if it left out privileges.
 */
export async function verifyPrivileges(session: MigrationSession): Promise<void> {
  const [incomplete] = await session.query<{ table: string }>(findIncomplete);
  if (!incomplete) return;
  throw new StartError(
    `The roles ${holderRole} and ${adminRole} lack privileges or row-level security policies, for example for the ` +
      `table ${incomplete.table}, as after a restore into a server without these roles: the roles exist now, so restore ` +
      'the backup again, with its privileges, and start again.',
  );
}

// Every table is for administrators and jobs. A protected table has a policy for each role.
const findIncomplete = `
  SELECT relname AS table FROM pg_class
  WHERE relnamespace = 'keyfront'::regnamespace AND relkind IN ('r', 'p') AND (
    NOT has_any_column_privilege('${adminRole}', oid, 'SELECT, INSERT, UPDATE')
    OR relrowsecurity AND (
      NOT has_any_column_privilege('${holderRole}', oid, 'SELECT, INSERT, UPDATE')
      OR 2 > (
        SELECT count(DISTINCT role) FROM pg_policy, unnest(polroles) AS role
        WHERE polrelid = pg_class.oid AND role IN ('${holderRole}'::regrole, '${adminRole}'::regrole)
      )
    )
  )
  ORDER BY relname LIMIT 1`;

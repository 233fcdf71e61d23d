import type { Client } from 'pg';
import { matchesScramVerifier, scramVerifier } from './scram-verifier.ts';

export interface DatabaseNames {
  database: string;
  ownerRole: string;
  loginRole: string;
}

/** Creates the database and the login role unless they exist, and brings the password of the login role up to date. */
export async function prepareDatabase(
  client: Client,
  names: DatabaseNames,
  loginPassword: string,
): Promise<void> {
  await prepareLoginRole(client, names.loginRole, loginPassword);
  const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [names.database]);
  if (found.rowCount === 0) {
    const [database, owner] = [names.database, names.ownerRole].map((name) => client.escapeIdentifier(name));
    await client.query(`CREATE DATABASE ${database} OWNER ${owner}`);
  }
}

async function prepareLoginRole(client: Client, name: string, password: string): Promise<void> {
  const role = client.escapeIdentifier(name);
  const found = await client.query<{ verifier: string | null; isOrdinary: boolean }>(
    `SELECT rolpassword AS verifier,
            rolcanlogin AND NOT (rolsuper OR rolcreatedb OR rolcreaterole) AS "isOrdinary"
       FROM pg_authid WHERE rolname = $1`,
    [name],
  );
  const existing = found.rows[0];
  if (existing?.isOrdinary && matchesScramVerifier(password, existing.verifier ?? '')) {
    return;
  }
  const verifier = client.escapeLiteral(scramVerifier(password));
  const verb = existing === undefined ? 'CREATE' : 'ALTER';
  await client.query(`${verb} ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${verifier}`);
}

import pg from 'pg';
import type { LeadingStatement } from '../statements/pipelined-query.ts';
import { statement } from '../statements/statement.ts';

// `set_config` is too late: PostgreSQL takes the snapshot of the transaction for the query that calls it. SET LOCAL warns without a BEGIN.
// The level ends with the transaction in either case.
const setIsolation: LeadingStatement = {
  statement: statement<never>('transaction.set-isolation', `SET transaction_isolation = 'read committed'`),
  values: [],
};

/**
 * Makes the statements that put one transaction into a role, with session settings. They are for connections through a pooler
 * in transaction mode: the settings of a session would reach other clients, or none.
 */
export function setSession(role: string, settings: Record<string, string | number>): LeadingStatement[] {
  const all = Object.entries({ ...settings, role });
  const conditions = all.map(
    ([name, value]) =>
      `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(String(value))}, true) IS NULL`,
  );
  const text = `SELECT WHERE ${conditions.join(' OR ')}`;
  return [setIsolation, { statement: statement<never>(`session.set ${role}`, text), values: [] }];
}

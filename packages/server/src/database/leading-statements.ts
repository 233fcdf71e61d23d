import type pg from 'pg';
import { execute, forceIndexScans, type LeadingStatement } from './pipelined-query.ts';
import type { AdministratorScope, HolderScope, Scope } from './scope.ts';
import { statement } from './statement.ts';

/** Sets the three settings that the policies compare rows with, for the current transaction. It returns no rows. */
const setScope = statement<never>(
  'scope.set',
  `SELECT WHERE set_config('keyfront.holder_id', $1, true) IS NULL OR set_config('keyfront.token_id', $2, true) IS NULL
     OR set_config('keyfront.wallet_address', $3, true) IS NULL`,
);
const begin = statement<never>('transaction.begin', 'BEGIN');

const beginTransaction: LeadingStatement = { name: begin.name, values: [] };

/**
 * Puts the statement of a pipelined query into a scope. Without a BEGIN a pipelined query is a transaction of its own, and
 * the settings end with it, so that nothing remains on the connection for the next caller.
 *
 * An administrator works across scopes; the database only needs to know who made a change.
 */
export function enterScope(scope: HolderScope | AdministratorScope): LeadingStatement {
  const values =
    scope.role === 'holder'
      ? [scope.holderId, String(scope.tokenId), scope.walletAddress]
      : ['', '', scope.walletAddress];
  return { name: setScope.name, values };
}

/** Begins a transaction in a scope. It continues after the pipelined query. */
export function beginInScope(scope: Scope): LeadingStatement[] {
  return scope.role === 'system' ? [beginTransaction] : [beginTransaction, enterScope(scope)];
}

/** Prepares all leading statements on a new connection. A pipelined query sends them without parsing. */
export async function prepareLeadingStatements(client: pg.ClientBase): Promise<void> {
  await execute(client, begin, []);
  await execute(client, setScope, ['', '', '']);
  await execute(client, forceIndexScans, []);
  await client.query('ROLLBACK');
}

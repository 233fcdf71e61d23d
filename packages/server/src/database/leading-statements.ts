import type pg from 'pg';
import { execute, type LeadingStatement } from './pipelined-query.ts';
import type { AdministratorScope, HolderScope, Scope } from './scope.ts';
import { statement } from './statement.ts';

/** Sets the three settings that the policies read, for the running transaction only. Has no rows: nobody needs them. */
const setScope = statement<never>(
  'scope.set',
  `SELECT WHERE set_config('keyfront.holder_id', $1, true) IS NULL OR set_config('keyfront.token_id', $2, true) IS NULL
     OR set_config('keyfront.wallet_address', $3, true) IS NULL`,
);
const begin = statement<never>('transaction.begin', 'BEGIN');

const beginning: LeadingStatement = { name: begin.name, values: [] };

/**
 * Puts what follows in the same flight into a scope. Without a BEGIN the flight is a transaction of its own, and the
 * scope is gone with it when the answer is complete: nothing is left on the connection for the next caller.
 *
 * Administrators work across scopes; of theirs the database knows the author of what they change.
 */
export function scoping(scope: HolderScope | AdministratorScope): LeadingStatement {
  const values =
    scope.role === 'holder'
      ? [scope.holderId, String(scope.tokenId), scope.walletAddress]
      : ['', '', scope.walletAddress];
  return { name: setScope.name, values };
}

/** What opens a transaction in a scope, which goes on after the flight. */
export function opening(scope: Scope): LeadingStatement[] {
  return scope.role === 'system' ? [beginning] : [beginning, scoping(scope)];
}

/** Prepares on a fresh connection what may be a leadingStatement later. */
export async function prepareLeadingStatements(client: pg.ClientBase): Promise<void> {
  await execute(client, begin, []);
  await execute(client, setScope, ['', '', '']);
  await client.query('ROLLBACK');
}

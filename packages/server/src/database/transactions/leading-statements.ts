import { execute, type LeadingStatement, plannerSettings, statement } from '@keyfront/postgres';
import type pg from 'pg';
import { SessionSettingsIgnored } from '../connection/start-failure.ts';
import type { Scope, SystemScope } from './scope.ts';

/** Sets the three settings that the policies compare rows with, for the current transaction. It returns no rows. */
const setScope = statement<never>(
  'scope.set',
  `SELECT WHERE set_config('keyfront.holder_id', $1, true) IS NULL OR set_config('keyfront.token_id', $2, true) IS NULL
     OR set_config('keyfront.wallet_address', $3, true) IS NULL`,
);
const begin = statement<never>('transaction.begin', 'BEGIN');

const beginTransaction: LeadingStatement = { statement: begin, values: [] };

/**
 * Puts the statement of a pipelined query into a scope. Without a BEGIN a pipelined query is a transaction of its own, and
 * the settings end with it, so that nothing remains on the connection for the next caller.
 *
 * An administrator works across scopes; the database only needs to know who made a change.
 */
export function enterScope(scope: Exclude<Scope, SystemScope>): LeadingStatement {
  const values =
    scope.role === 'holder'
      ? [scope.holderId, String(scope.tokenId), scope.walletAddress]
      : ['', '', scope.walletAddress];
  return { statement: setScope, values };
}

/**
 * Begins a transaction in a scope. It continues after the pipelined query. `first` are statements that run before the scope is
 * entered, such as those of `setSession` for a connection that needs it.
 */
export function beginInScope(scope: Scope, ...first: LeadingStatement[]): LeadingStatement[] {
  const leading = [beginTransaction, ...first];
  if (scope.role !== 'system') leading.push(enterScope(scope));
  return leading;
}

/** Limits how long a transaction that several requests share waits for a lock, which usually only one of them needs. */
export const limitLockWait: LeadingStatement = {
  statement: statement<never>(
    'transaction.limit-lock-wait',
    `SELECT WHERE set_config('lock_timeout', '200ms', true) IS NULL`,
  ),
  values: [],
};

const readRole = statement<{ role: string }>('', 'SELECT current_user AS role');

/** Prepares all leading statements on a new connection. A pipelined query sends them without parsing. */
export async function prepareLeadingStatements(
  client: pg.ClientBase,
  role?: string,
  ...others: LeadingStatement[]
): Promise<void> {
  // Sent together, in one round trip.
  const [[session]] = await Promise.all([
    execute(client, readRole, []),
    execute(client, begin, []),
    execute(client, setScope, ['', '', '']),
    execute(client, limitLockWait.statement, []),
    ...plannerSettings.map((setting) => execute(client, setting, [])),
    ...others.map((other) => execute(client, other.statement, [...other.values])),
    client.query('ROLLBACK'),
  ]);
  // Row-level security depends on the role, so a connection without it must not be used.
  if (role !== undefined && session?.role !== role) throw new SessionSettingsIgnored();
}

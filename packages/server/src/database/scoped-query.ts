import pg from 'pg';
import type { HolderScope } from './scope.ts';
import type { Statement } from './statement.ts';

/** Sets the three settings that the policies read, for the running transaction only. */
export const setScope: Statement<unknown> = {
  name: 'scope.set',
  text: `SELECT set_config('keyfront.holder_id', $1, true), set_config('keyfront.token_id', $2, true),
    set_config('keyfront.wallet_address', $3, true)`,
};

export function scopeValues(scope: HolderScope): string[] {
  return [scope.holderId, String(scope.tokenId), scope.walletAddress];
}

/** pg's own query. Its published types leave out the protocol's side, which is what this file extends. */
interface QueryInternals {
  new (
    config: { name: string; text: string; values: unknown[]; types: pg.CustomTypesConfig },
    values: undefined,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ): {
    submit(connection: pg.Connection): Error | null;
    prepare(connection: pg.Connection): void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: pg.Connection): void;
  };
}
const Query = pg.Query as unknown as QueryInternals;

/**
 * One statement inside a scope, in one round trip and one transaction.
 *
 * Everything between two Sync messages of PostgreSQL's extended protocol is one implicit transaction. So the scope is
 * bound and executed just before the statement, in the same flight: it is in force for that statement, and gone with
 * the transaction when the answer is complete. Nothing is left on the connection for the next caller.
 *
 * The connection must have prepared `setScope` before.
 */
export class ScopedQuery extends Query {
  readonly #scope: HolderScope;
  #scopeIsSet = false;

  constructor(
    scope: HolderScope,
    statement: Statement<unknown>,
    values: unknown[],
    types: pg.CustomTypesConfig,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super({ name: statement.name, text: statement.text, values, types }, undefined, callback);
    this.#scope = scope;
  }

  override prepare(connection: pg.Connection): void {
    connection.bind({ statement: setScope.name, values: scopeValues(this.#scope) }, true);
    connection.execute({}, true);
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#scopeIsSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#scopeIsSet) super.handleCommandComplete(message, connection);
    this.#scopeIsSet = true;
  }
}

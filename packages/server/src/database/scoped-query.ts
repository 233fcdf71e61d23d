import pg from 'pg';
import type { AdministratorScope, HolderScope } from './scope.ts';
import type { Statement } from './statement.ts';
import { wireTypes } from './wire-types.ts';

/** Sets the three settings that the policies read, for the running transaction only. */
export const setScope: Statement<unknown> = {
  name: 'scope.set',
  text: `SELECT set_config('keyfront.holder_id', $1, true), set_config('keyfront.token_id', $2, true),
    set_config('keyfront.wallet_address', $3, true)`,
};
export const begin: Statement<unknown> = { name: 'transaction.begin', text: 'BEGIN' };
export const commit: Statement<unknown> = { name: 'transaction.commit', text: 'COMMIT' };

/** A statement that goes before another one in the same flight. */
export interface Prelude {
  readonly name: string;
  readonly values: string[];
}

export const beginning: Prelude = { name: begin.name, values: [] };

/** Administrators work across scopes; of theirs the database knows the author of what they change. */
export function scoping(scope: HolderScope | AdministratorScope): Prelude {
  const values =
    scope.role === 'holder'
      ? [scope.holderId, String(scope.tokenId), scope.walletAddress]
      : ['', '', scope.walletAddress];
  return { name: setScope.name, values };
}

/** Prepares on a fresh connection what may be a prelude later. */
export async function preparePreludes(client: pg.ClientBase): Promise<void> {
  await client.query({ name: begin.name, text: begin.text });
  await client.query({ name: setScope.name, text: setScope.text, values: [null, null, null] });
  await client.query({ name: commit.name, text: commit.text });
}

/** pg's own query. Its published types leave out the protocol's side, which is what this file extends. */
interface QueryInternals {
  new (
    config: { name: string; text: string; values: unknown[]; types: pg.CustomTypesConfig },
    values: undefined,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ): {
    submit(connection: pg.Connection): Error | null;
    requiresPreparation(): boolean;
    prepare(connection: pg.Connection): void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: pg.Connection): void;
  };
}
const Query = pg.Query as unknown as QueryInternals;

/**
 * One statement with preludes, in one round trip.
 *
 * Everything between two Sync messages of PostgreSQL's extended protocol stands or falls together: once a message has
 * failed, the server skips the rest. So the scope is bound and executed just before the statement, in the same flight.
 * Without a BEGIN the flight is a transaction of its own, and the scope is gone with it when the answer is complete:
 * nothing is left on the connection for the next caller. With a BEGIN in front it opens a transaction that goes on.
 */
class PreludedQuery extends Query {
  readonly #preludes: readonly Prelude[];
  #preludesToCome: number;

  constructor(
    preludes: readonly Prelude[],
    statement: Statement<unknown>,
    values: unknown[],
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super({ name: statement.name, text: statement.text, values, types: wireTypes }, undefined, callback);
    this.#preludes = preludes;
    this.#preludesToCome = preludes.length;
  }

  /** Also without a name and without values, where pg would send the bare text and no prelude. */
  override requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: pg.Connection): void {
    for (const { name, values } of this.#preludes) {
      connection.bind({ statement: name, values }, true);
      connection.execute({}, true);
    }
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#preludesToCome === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#preludesToCome === 0) super.handleCommandComplete(message, connection);
    else this.#preludesToCome--;
  }
}

/** Runs a statement behind its preludes; the connection has prepared those before. */
export function executeBehind<Row>(
  client: pg.PoolClient,
  preludes: readonly Prelude[],
  statement: Statement<Row>,
  values: unknown[],
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new PreludedQuery(preludes, statement, values, (error, result) =>
        error ? reject(error) : resolve(result.rows),
      ),
    );
  });
}

import { type StatementOptions, statement } from '@keyfront/postgres';
import type { Database } from '../database.ts';
import { type Scope, systemScope } from '../transactions/scope.ts';
import type { RunInTransaction, RunStatement } from '../transactions/transaction.ts';

/** Converts the arguments of a query to the values of its placeholders. */
type Values<Arguments extends unknown[]> = (...args: Arguments) => unknown[];

/**
 * Declares a statement, as `statement` does. One of the methods then makes it a function, which takes what runs it, and the
 * arguments of `values`. `list` returns all rows, `find` the first one or null, `get` the one row that there always is,
 * `has` whether there is any, and `run` nothing. They run in a transaction, `InScope` in the scope that is the next
 * argument, `AsSystem` in the scope of the service itself, and `Shared` on data without an owner. `atCommit` sends the
 * statement with the COMMIT.
 */
export function query<Row>(name: string, text: string, options?: StatementOptions) {
  const declared = statement<Row>(name, text, options);

  const all = (rows: Row[]): Row[] => rows;
  const first = ([row]: Row[]): Row | null => row ?? null;
  const isAny = (rows: Row[]): boolean => rows.length > 0;
  const nothing = (): void => undefined;
  const only = ([row]: Row[]): Row => {
    if (row === undefined) throw new Error(`The statement ${name} has returned no row`);
    return row;
  };

  const inTransaction =
    <Result>(read: (rows: Row[]) => Result) =>
    <Arguments extends unknown[]>(values: Values<Arguments>) =>
    async (tx: RunStatement, ...args: Arguments): Promise<Result> =>
      read(await tx(declared, values(...args)));
  const inScope =
    <Result>(read: (rows: Row[]) => Result) =>
    <Owner extends Scope, Arguments extends unknown[]>(values: Values<[scope: Owner, ...Arguments]>) =>
    async (database: Database, scope: Owner, ...args: Arguments): Promise<Result> =>
      read(await database.query(scope, declared, values(scope, ...args)));
  const asSystem =
    <Result>(read: (rows: Row[]) => Result) =>
    <Arguments extends unknown[]>(values: Values<Arguments>) =>
    async (database: Database, ...args: Arguments): Promise<Result> =>
      read(await database.query(systemScope, declared, values(...args)));
  const shared =
    <Result>(read: (rows: Row[]) => Result) =>
    <Arguments extends unknown[]>(values: Values<Arguments>) =>
    async (database: Database, ...args: Arguments): Promise<Result> =>
      read(await database.queryShared(declared, values(...args)));
  const atCommit =
    <Arguments extends unknown[]>(values: Values<Arguments>) =>
    (tx: RunInTransaction, ...args: Arguments): void =>
      tx.atCommit(declared, values(...args));

  return {
    list: inTransaction(all),
    find: inTransaction(first),
    get: inTransaction(only),
    has: inTransaction(isAny),
    run: inTransaction(nothing),
    atCommit,
    listInScope: inScope(all),
    findInScope: inScope(first),
    listAsSystem: asSystem(all),
    findAsSystem: asSystem(first),
    getAsSystem: asSystem(only),
    hasAsSystem: asSystem(isAny),
    runAsSystem: asSystem(nothing),
    listShared: shared(all),
    findShared: shared(first),
  };
}

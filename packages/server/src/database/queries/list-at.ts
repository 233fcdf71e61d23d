import { type StatementOptions, statement } from '@keyfront/postgres';
import type { RunStatement } from '../transactions/transaction.ts';

type ListAt<Row> = (tx: RunStatement, snapshots: readonly string[]) => Promise<(Row | null)[]>;

/**
 * Declares a statement that reads resources as they were at the snapshots of `$1`, and makes a function of it that lists
 * them in their order. The statement returns the number of the snapshot with each row, starting at 1. A snapshot without a
 * row becomes null.
 */
export function listAt<Row extends object>(
  name: string,
  text: string,
  options?: StatementOptions,
): ListAt<Row> {
  const declared = statement<Row & { readonly number: number }>(name, text, options);
  return async (tx, snapshots) => {
    const places = Array.from<Row | null>({ length: snapshots.length }).fill(null);
    for (const { number, ...row } of await tx(declared, [snapshots]))
      places[number - 1] = row as unknown as Row;
    return places;
  };
}

/** Makes a function that converts what another one lists. */
export const convertAt =
  <Row, Item>(list: ListAt<Row>, convert: (row: Row) => Item): ListAt<Item> =>
  async (tx, snapshots) =>
    (await list(tx, snapshots)).map((row) => row && convert(row));

/** A prepared statement, parsed once on each connection. `Row` is the type of its rows. */
export interface Statement<Row> extends Required<StatementOptions> {
  readonly name: string;
  readonly text: string;
  /** Never set. It carries the type of the rows. */
  readonly row?: Row;
}

export interface StatementOptions {
  /**
   * Plans the statement without sequential scans and bitmap scans. Required for statements that read a table whose rows are
   * inserted and deleted all the time: only a plain index scan marks the entries of deleted rows so that the next scan skips
   * them, and a sequential scan that was planned while the table was empty keeps reading all of it when it is not.
   *
   * The settings last until the end of the transaction, so they also apply to later statements of the same transaction.
   */
  readonly indexScansOnly?: boolean;
  /**
   * Plans the statement with bitmap scans only. Required for a search: under row-level security PostgreSQL uses no statistics
   * of a text and estimates that one row in 25 contains it, so that it would rather read all rows of the digital key. Lasts as long as
   * `indexScansOnly`.
   */
  readonly bitmapScansOnly?: boolean;
  /**
   * Plans the statement once on each connection, for all values. PostgreSQL otherwise plans it for each execution if it expects
   * less work with the values known, even where planning takes longer than that work. For a statement whose best plan does not
   * depend on its values. Has no effect on one without a name. Lasts as long as `indexScansOnly`.
   */
  readonly genericPlan?: boolean;
  /** Runs before the statement, in the same round trip and transaction. It has no values, and nobody reads its rows. */
  readonly precededBy?: Statement<never> | null;
  /**
   * Lets requests that share a transaction run the statement once for all of them. Its values are the same for all of them, or
   * arrays, which are concatenated. If it `reads`, each array has one element for each request, and the column `member` is the
   * position of that element, from 1. If it `writes`, it runs at the commit and returns nothing.
   */
  readonly merges?: 'reads' | 'writes' | null;
}

/** Declares a statement. Its name is unique in the service, as `<noun>.<action>`; '' is parsed again for each use. */
export function statement<Row>(name: string, text: string, options: StatementOptions = {}): Statement<Row> {
  const { indexScansOnly = false, bitmapScansOnly = false, genericPlan = false } = options;
  const { precededBy = null, merges = null } = options;
  return { name, text, indexScansOnly, bitmapScansOnly, genericPlan, precededBy, merges };
}

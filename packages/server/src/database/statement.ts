/** A prepared statement: parsed once per connection under its name. `Row` is what each row holds. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set; carries the type of the rows. */
  readonly row?: Row;
}

/** Declares a prepared statement. The name is unique in the service, as `<noun>.<what it does>`. */
export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text };
}

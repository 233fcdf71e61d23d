/** Collects the values of a statement that is composed from parts. */
export class StatementValues {
  readonly list: unknown[];

  /** `first`: the values of the first placeholders. */
  constructor(first: readonly unknown[] = []) {
    this.list = [...first];
  }

  /** Adds a value and returns its placeholder, such as `$1`. */
  add(value: unknown): string {
    return `$${this.list.push(value)}`;
  }
}

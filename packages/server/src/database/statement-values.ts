/** The values of a statement that is put together from parts, numbered in the order in which they come. */
export class StatementValues {
  readonly list: unknown[] = [];

  /** Takes a value in; gives the parameter that stands for it. */
  add(value: unknown): string {
    return `$${this.list.push(value)}`;
  }
}

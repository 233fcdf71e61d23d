/** A row of a page, with the number of items on all pages. An empty page has one row with that number and without an id. */
export type PageRow<Item> = Item & { readonly id: string | null; readonly itemCount: number };

/** Splits the rows of a page into its items and the number of items on all pages. */
export function readPage<Item>(rows: readonly PageRow<Item>[]): { items: Item[]; itemCount: number } {
  return { items: rows.filter((row) => row.id !== null), itemCount: rows[0]?.itemCount ?? 0 };
}

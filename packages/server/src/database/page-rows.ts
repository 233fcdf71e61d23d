/** A row of a page with the count of all pages beside it; without an id it stands alone, for the count of an empty page. */
export type PageRow<Item> = Item & { readonly id: string | null; readonly itemCount: number };

/** The items of a page, and how many there are on all pages: one statement gives both. */
export function readPage<Item>(rows: readonly PageRow<Item>[]): { items: Item[]; itemCount: number } {
  return { items: rows.filter((row) => row.id !== null), itemCount: rows[0]?.itemCount ?? 0 };
}

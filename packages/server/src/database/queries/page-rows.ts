import { type PageMeta, type PageRequest, pageMeta, pageRequest } from '@keyfront/protocol';

/** A row of a page, with the number of items on all pages. An empty page has one row with that number and without an id. */
export type PageRow<Item> = Item & { readonly id: string | null; readonly itemCount: number };

/** Gets the page that a query asks for: its items, and what the response says about the page. */
export async function getPage<Item>(
  query: Parameters<typeof pageRequest>[0],
  list: (page: PageRequest) => Promise<PageRow<Item>[]>,
): Promise<{ items: Item[]; pageMetaDto: PageMeta }> {
  const page = pageRequest(query);
  const rows = await list(page);
  const items = rows.filter((row) => row.id !== null);
  return { items, pageMetaDto: pageMeta(page, rows[0]?.itemCount ?? 0) };
}

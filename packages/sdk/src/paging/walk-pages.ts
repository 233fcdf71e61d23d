import { KeyfrontError } from '../errors.ts';

/** Which page of a list to read. */
export interface PagePosition {
  readonly page?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The metadata that a page carries, as far as walking needs it. */
interface PageMeta {
  /** A list that is not counted has none. */
  readonly pageCount?: number;
  readonly hasNextPage: boolean;
  readonly nextCursor?: string | null;
}

/**
 * Reads one page after the other, by cursor if the list has one, otherwise by page number. Ends after the last page.
 *
 * A list may grow meanwhile. The walk gives up after twice as many pages as the list had at the beginning, so that it
 * ends even if the list grows as fast as it is read.
 */
export async function* walkPages<Page extends object>(
  readPage: (position: PagePosition) => Promise<Page>,
  start: PagePosition,
): AsyncGenerator<Page, void, undefined> {
  let position: PagePosition | null = start;
  let mostPages = Number.POSITIVE_INFINITY;
  for (let pages = 1; position; pages++) {
    if (pages > mostPages)
      throw new KeyfrontError('The list grows faster than it can be read: narrow the filters');
    const page: Page = await readPage(position);
    yield page;
    const meta = metaOf(page);
    if (pages === 1) mostPages = 2 * (meta?.pageCount ?? Number.POSITIVE_INFINITY);
    position = meta && positionAfter(meta, position);
  }
}

function metaOf(page: object): PageMeta | null {
  return 'pageMetaDto' in page ? (page.pageMetaDto as PageMeta) : null;
}

function positionAfter({ hasNextPage, nextCursor }: PageMeta, current: PagePosition): PagePosition | null {
  if (nextCursor === undefined) return hasNextPage ? { page: (current.page ?? 1) + 1 } : null;
  if (nextCursor === null) return null;
  if (nextCursor === current.cursor) throw new KeyfrontError('The service returned the same cursor twice');
  return { page: undefined, cursor: nextCursor };
}

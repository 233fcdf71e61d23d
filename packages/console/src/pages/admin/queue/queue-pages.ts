import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query';

/** One page of a queue. */
export interface QueuePage<Row> {
  readonly rows: readonly Row[];
  /** How many rows match, on all pages. */
  readonly itemCount: number;
  /** What the next page begins after. Null on the last one. */
  readonly next: string | null;
}

/** What is loaded of a queue. */
export type QueuePages<Row> = InfiniteData<QueuePage<Row>>;

interface Identified {
  readonly id: string;
}

/** The rows of all pages, each once: a page that is loaded after rows have come or gone may repeat some. */
export function rowsOf<Row extends Identified>({ pages }: QueuePages<Row>): Row[] {
  const byId = new Map(pages.flatMap(({ rows }) => rows).map((row) => [row.id, row]));
  return [...byId.values()];
}

/**
 * Without rows that were decided, which no longer match: neither those that are loaded nor the others. At least `left` still do, which a
 * count that was asked for meanwhile may know already.
 */
export function withoutRows<Row extends Identified>(
  data: QueuePages<Row>,
  ids: ReadonlySet<string>,
  left = 0,
): QueuePages<Row> {
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      rows: page.rows.filter(({ id }) => !ids.has(id)),
      itemCount: Math.max(page.itemCount - ids.size, left),
    })),
  };
}

/**
 * What is loaded, with the first rows as they are now: new ones before the others, and changed ones in their places. The same object if
 * nothing is different. Null if the first rows cannot tell what has happened, because rows have gone or have come between others.
 */
export function withHead<Row extends Identified>(
  data: QueuePages<Row>,
  head: QueuePage<Row>,
): QueuePages<Row> | null {
  const [first, ...others] = data.pages;
  if (!first) return null;
  const loaded = rowsOf(data);
  const known = new Set(loaded.map(({ id }) => id));
  const firstKnown = head.rows.findIndex(({ id }) => known.has(id));
  // Nothing in common: more has come than one page shows.
  if (firstKnown < 0 && loaded.length + head.rows.length > 0) return null;
  const added = head.rows.slice(0, Math.max(0, firstKnown));
  const rest = head.rows.slice(added.length);
  if (rest.some(({ id }, index) => loaded[index]?.id !== id)) return null;
  if (head.itemCount !== first.itemCount + added.length) return null;
  const changed = new Map(rest.map((row) => [row.id, row]));
  const update = (page: QueuePage<Row>) => ({
    ...page,
    itemCount: head.itemCount,
    rows: page.rows.map((row) => changed.get(row.id) ?? row),
  });
  const updated = update(first);
  return replaceEqualDeep(data, {
    ...data,
    pages: [{ ...updated, rows: [...added, ...updated.rows] }, ...others.map(update)],
  });
}

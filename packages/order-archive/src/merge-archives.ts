/** The place of an order in a list that is sorted by time. */
export interface Place {
  /** In milliseconds. */
  readonly at: number;
  readonly id: string;
}

/** An archive, and when the first and the last of its orders were placed. */
export interface ArchiveSpan {
  readonly firstAt: number;
  readonly lastAt: number;
}

/** A part of the list, and the archived orders in it. */
export interface Window<Order extends Place> {
  /** Exclusive. Null: the begin of the list. */
  readonly after: Place | null;
  /** Inclusive. Null: the end of the list. */
  readonly until: Place | null;
  /** Sorted. */
  readonly orders: Order[];
}

interface MergeOptions<Archive extends ArchiveSpan, Order extends Place> {
  readonly direction: 'asc' | 'desc';
  readonly read: (archive: Archive) => Promise<readonly Order[]>;
  /** At most twice as many orders are in memory, and those of one archive. */
  readonly maxOrders: number;
}

/**
 * Divides a list into windows that follow one another and cover all of it. Archives may overlap: those of several digital keys do, and a
 * month has a further one for orders that came to rest later. Files that overlap are read once for each window that they are in.
 */
export async function* mergeArchives<Archive extends ArchiveSpan, Order extends Place>(
  archives: readonly Archive[],
  { direction, read, maxOrders }: MergeOptions<Archive, Order>,
): AsyncGenerator<Window<Order>> {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (one: Place, other: Place) =>
    sign * (one.at - other.at || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0));
  const startOf = ({ firstAt, lastAt }: Archive) => (sign > 0 ? firstAt : lastAt);
  const endOf = ({ firstAt, lastAt }: Archive) => (sign > 0 ? lastAt : firstAt);
  let waiting = archives.toSorted((one, other) => sign * (startOf(one) - startOf(other)));
  let after: Place | null = null;
  while (waiting.length > 0) {
    let orders: Order[] = [];
    let limit: Order | null = null;
    let readUntil = -Infinity;
    let hasMore = false;
    for (const archive of waiting) {
      const end = limit ? sign * limit.at : orders.length >= maxOrders ? readUntil : Infinity;
      if (sign * startOf(archive) > end) {
        hasMore = true;
        break;
      }
      readUntil = Math.max(readUntil, sign * endOf(archive));
      for (const order of await read(archive)) {
        if (after !== null && compare(order, after) <= 0) continue;
        if (limit === null || compare(order, limit) < 0) orders.push(order);
      }
      if (orders.length >= 2 * maxOrders) {
        orders = orders.sort(compare).slice(0, maxOrders);
        limit = orders.at(-1) ?? null;
      }
    }
    orders.sort(compare);
    const [first] = orders;
    const last: Order | undefined = orders.at(-1);
    if (first && last) {
      // The rows up to the first archived order, which may be most of the table, need no sort.
      yield { after, until: first, orders: [] };
      yield { after: first, until: last, orders };
      after = last;
    }
    if (limit === null && !hasMore) break;
    const reached = last?.at ?? 0;
    waiting = waiting.filter((archive) => sign * (endOf(archive) - reached) >= 0);
  }
  yield { after, until: null, orders: [] };
}

import type { Keyfront, KeyfrontEvent, KeyfrontEventPage } from '@keyfront/sdk';

export interface EventWalkFilter {
  readonly type?: string;
  /** Only events since then. */
  readonly since?: Date | undefined;
  readonly signal: AbortSignal;
}

export interface WalkOptions extends EventWalkFilter {
  readonly after?: string | null;
}

const pageSize = 500;

/** Yields the events that have happened, oldest first, page by page. Returns the id to read on from. */
export async function* walkEvents(
  keyfront: Keyfront,
  { type, after = null, since, signal }: WalkOptions,
): AsyncGenerator<KeyfrontEvent, string | null> {
  let position = after;
  for (;;) {
    const query = { ...(type && { type }), ...(position && { after: position }), take: pageSize };
    const { events, hasMore, nextAfter } = await keyfront.events.list(query, { signal });
    for (const event of events) if (!since || new Date(event.createdAt) >= since) yield event;
    position = nextAfter;
    if (!hasMore) return position;
  }
}

/** Yields this many events, newest first, page by page. */
export async function* walkNewestEvents(
  keyfront: Keyfront,
  count: number,
  { type, since, signal }: EventWalkFilter,
): AsyncGenerator<KeyfrontEvent, void> {
  let before: string | null = null;
  for (let left = count; left > 0; ) {
    const query = { ...(type && { type }), ...(before && { before }), take: Math.min(left, pageSize) };
    const page: KeyfrontEventPage = await keyfront.events.list({ ...query, orderBy: 'desc' }, { signal });
    for (const event of page.events) {
      if (since && new Date(event.createdAt) < since) return;
      yield event;
    }
    before = page.nextBefore ?? null;
    if (before === null) return;
    left -= page.events.length;
  }
}

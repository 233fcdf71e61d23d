import type { Keyfront, KeyfrontEvent } from '@keyfront/sdk';

export interface WalkOptions {
  readonly type?: string;
  readonly after?: string | null;
  /** Only events since then. */
  readonly since?: Date | undefined;
  readonly signal: AbortSignal;
}

/** Yields the events that have happened, oldest first, page by page. Returns the id to read on from. */
export async function* walkEvents(
  keyfront: Keyfront,
  { type, after = null, since, signal }: WalkOptions,
): AsyncGenerator<KeyfrontEvent, string | null> {
  let position = after;
  for (;;) {
    const query = { ...(type && { type }), ...(position && { after: position }), take: 500 };
    const { events, hasMore, nextAfter } = await keyfront.events.list(query, { signal });
    for (const event of events) if (!since || new Date(event.createdAt) >= since) yield event;
    position = nextAfter;
    if (!hasMore) return position;
  }
}

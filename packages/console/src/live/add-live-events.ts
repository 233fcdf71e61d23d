import type { KeyfrontEvent } from '@keyfront/sdk';

/**
 * Adds the events that have come since a list was loaded, newest first. The list has all events up to its newest one, so those that
 * have come are new if they are later.
 */
export function addLiveEvents(
  live: readonly KeyfrontEvent[],
  loaded: readonly KeyfrontEvent[],
): readonly KeyfrontEvent[] {
  // Ids sort in the order of the events.
  const newestId = loaded[0]?.id ?? '';
  return [...live.filter(({ id }) => id > newestId), ...loaded];
}

/** The row of a queue that keys act on. It is known by its key, so that it stays the same while rows come and go. */
export interface CurrentRow {
  /** Null if the row has left the queue without a decision made here. Nothing is current until another row is chosen. */
  readonly key: string | null;
  /** Where the row is, or was. */
  readonly place: number;
}

/**
 * The current row after the queue has changed. A row that was decided here makes way for the one that takes its place. After a
 * row that has left for another reason, none is current: a key that is pressed at that moment must not act on its neighbour.
 */
export function followRow(
  current: CurrentRow,
  keys: readonly string[],
  decidedKeys: ReadonlySet<string>,
): CurrentRow {
  const { key, place } = current;
  if (key === null) return current;
  const index = keys.indexOf(key);
  if (index >= 0) return index === place ? current : { key, place: index };
  if (!decidedKeys.has(key)) return { key: null, place };
  // All that was loaded may be decided. The next rows are on their way.
  return keys.length === 0 ? current : rowAt(keys, place);
}

/** The row that is one step after or before the current one. */
export function stepFrom({ key, place }: CurrentRow, step: -1 | 1, keys: readonly string[]): CurrentRow {
  // The next one has moved up into the place of a row that has left.
  return rowAt(keys, key === null && step === 1 ? place : place + step);
}

export function rowAt(keys: readonly string[], place: number): CurrentRow {
  const nearest = Math.max(0, Math.min(place, keys.length - 1));
  return { key: keys[nearest] ?? null, place: nearest };
}

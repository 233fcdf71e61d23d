import type { KeyfrontEvent } from '@keyfront/sdk';
import { useSyncExternalStore } from 'react';

const maxEvents = 200;
/** What is left of them when there are more. */
const keptEvents = 100;
const listeners = new Set<() => void>();
let events: readonly KeyfrontEvent[] = [];

/** Remembers an event that has just happened. Returns whether earlier ones were forgotten. */
export function addLiveEvent(event: KeyfrontEvent): boolean {
  const isFull = events.length === maxEvents;
  events = [event, ...events].slice(0, isFull ? keptEvents : maxEvents);
  for (const listener of listeners) listener();
  return isFull;
}

/** The latest events since the console was opened, newest first. Lists of events have the earlier ones. */
export function useLiveEventList(): readonly KeyfrontEvent[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => events,
  );
}

export function clearLiveEvents(): void {
  events = [];
  for (const listener of listeners) listener();
}

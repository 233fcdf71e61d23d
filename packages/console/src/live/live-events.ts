import type { KeyfrontEvent } from '@keyfront/sdk';
import { useSyncExternalStore } from 'react';

const mostEvents = 200;
const listeners = new Set<() => void>();
let events: readonly KeyfrontEvent[] = [];

/** Remembers an event that has just happened. */
export function addLiveEvent(event: KeyfrontEvent): void {
  events = [event, ...events].slice(0, mostEvents);
  for (const listener of listeners) listener();
}

/** The events since the page was opened, newest first. */
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

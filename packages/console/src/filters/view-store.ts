import { useSyncExternalStore } from 'react';
import { useSession } from '../session/session-store.ts';

/** Filters of a list under a name. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
}

export const maxNameLength = 60;
const maxViews = 30;
const listeners = new Set<() => void>();
const empty: readonly SavedView[] = [];
/** What was last read of each list, and the text it was read from: a snapshot must stay the same while nothing changes. */
const lastRead = new Map<string, { readonly text: string; readonly views: readonly SavedView[] }>();

// Another tab has saved or removed a view.
window.addEventListener('storage', notify);

/** What becomes of the views that are there by then: another tab may have changed them. */
type ChangeViews = (views: readonly SavedView[]) => readonly SavedView[];

/** The saved views of a list, which belong to the wallet and stay in this browser, and what changes them. */
export function useSavedViews(
  list: string,
): [views: readonly SavedView[], change: (change: ChangeViews) => void] {
  const key = `keyfront.views.${useSession()?.walletAddress.toLowerCase()}.${list}`;
  const views = useSyncExternalStore(subscribe, () => readViews(key));
  const change = (changeViews: ChangeViews) => {
    const next = changeViews(readViews(key));
    if (next.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(next.slice(-maxViews)));
    notify();
  };
  return [views, change];
}

/** The views that are stored under a key. Whatever is not one is left out. */
function readViews(key: string): readonly SavedView[] {
  const text = localStorage.getItem(key);
  if (text === null) return empty;
  const known = lastRead.get(key);
  if (known?.text === text) return known.views;
  const views = parse(text).filter(isView).slice(0, maxViews);
  lastRead.set(key, { text, views });
  return views;
}

/** Whether two sets of filters are the same, in whatever order they were set. */
export function isSameSearch(one: object, other: object): boolean {
  const sorted = (search: object) => JSON.stringify(Object.entries(search).sort());
  return sorted(one) === sorted(other);
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Partial<SavedView>;
  return typeof name === 'string' && typeof search === 'object' && search !== null;
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

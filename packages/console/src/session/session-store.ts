import { useSyncExternalStore } from 'react';

/** A signed-in wallet. */
export interface Session {
  readonly token: string;
  readonly expiresAt: string;
  readonly walletAddress: string;
  readonly role: 'holder' | 'administrator';
  /** What signs further messages: the wallet's name, or that of a demo wallet. */
  readonly walletName: string;
}

/** Why there is no session. Shown on the page that asks to sign in. */
export type SessionEnd = 'signed-out' | 'expired';

const storageKey = 'keyfront.session';
const listeners = new Set<() => void>();
let current: Session | null = readStored();
let lastEnd: SessionEnd | null = null;

// Another tab has signed in or out.
window.addEventListener('storage', ({ key }) => {
  if (key === storageKey || key === null) replace(readStored());
});
// The same may have happened while the page was away. It is then told nothing, and comes back as it was.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) replace(readStored());
});

export function getSession(): Session | null {
  return current;
}

export function getLastEnd(): SessionEnd | null {
  return lastEnd;
}

export function startSession(session: Session): void {
  localStorage.setItem(storageKey, JSON.stringify(session));
  lastEnd = null;
  replace(session);
}

export function endSession(reason: SessionEnd): void {
  if (!current) return;
  localStorage.removeItem(storageKey);
  lastEnd = reason;
  replace(null);
}

/** The session, or null. Components render again when another one takes its place, in any tab. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, getSession);
}

/** Calls the listener when a session begins, ends or makes way for another one, in any tab. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function replace(session: Session | null): void {
  if (session?.token === current?.token) return;
  current = session;
  for (const listener of listeners) listener();
}

function readStored(): Session | null {
  const text = localStorage.getItem(storageKey);
  if (text === null) return null;
  try {
    const session: unknown = JSON.parse(text);
    return isSession(session) && Date.parse(session.expiresAt) > Date.now() ? session : null;
  } catch {
    return null;
  }
}

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false;
  const names = ['token', 'expiresAt', 'walletAddress', 'role', 'walletName'];
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
}

import { getSession, type Session, subscribe } from './session-store.ts';

/** What somebody has changed in a form: texts, and whether boxes are checked, by the names of the fields. */
export type DraftFields = Readonly<Record<string, string | boolean>>;

/**
 * Forms that are not sent yet, by their names. In `sessionStorage`: a draft survives a reload and the end of the session, but not its
 * tab. It belongs to who has signed in, and nobody else sees it.
 */
const prefix = 'keyfront.draft.';
const otherTabs = new BroadcastChannel('keyfront.drafts');

otherTabs.addEventListener('message', () => forgetExcept(null));
// Somebody else signs in after a session has expired: what is left of it must not stay in their browser.
subscribe(forgetOthers);
forgetOthers();

export function readDraft(name: string): DraftFields | null {
  const session = getSession();
  const text = session && sessionStorage.getItem(keyOf(session, name));
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** Keeps the changed fields of a form. A form without any has no draft. */
export function writeDraft(name: string, fields: DraftFields): void {
  const session = getSession();
  if (!session) return;
  const key = keyOf(session, name);
  try {
    if (Object.keys(fields).length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(fields));
  } catch {
    // The storage is full. The form itself still has everything.
  }
}

/** Forgets the draft of a form that was sent or given up. */
export function clearDraft(name: string): void {
  writeDraft(name, {});
}

/** What a form was about: the rest of the name of a draft that begins like this, or null if there is none. */
export function findDraft(beginning: string): string | null {
  const session = getSession();
  if (!session) return null;
  const begun = keyOf(session, beginning);
  return (
    listKeys()
      .find((key) => key.startsWith(begun))
      ?.slice(begun.length) ?? null
  );
}

/** Forgets all drafts, in every tab. */
export function clearDrafts(): void {
  otherTabs.postMessage('clear');
  forgetExcept(null);
}

function forgetOthers(): void {
  const session = getSession();
  if (session) forgetExcept(session);
}

function forgetExcept(session: Session | null): void {
  for (const key of listKeys()) {
    if (!session || !key.startsWith(keyOf(session, ''))) sessionStorage.removeItem(key);
  }
}

function keyOf({ role, walletAddress }: Session, name: string): string {
  return `${prefix}${role}.${walletAddress}.${name}`;
}

function listKeys(): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
}

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from '../context.ts';
import { profileFile } from '../credentials/profiles.ts';
import { isRecord } from '../is-record.ts';
import { systemErrorReason } from '../system-error-reason.ts';

/** What `keyfront listen` remembers of a profile. */
export interface ListenState {
  /** The service that the id is of. */
  readonly url: string;
  /** The last event that was handled. Null: none yet. */
  readonly lastEventId: string | null;
  /** Signs what is forwarded. It stays the same, so that a receiver need not be changed. */
  readonly secret: string;
}

/** The file beside the profiles. It is not part of their file, which holds credentials and is written only by `login`. */
export function listenFile(context: Pick<Context, 'env'>, profile: string): string {
  return join(dirname(profileFile(context)), 'listen', `${encodeURIComponent(profile)}.json`);
}

/**
 * Reads what is remembered for this service, or begins anew. `onUnreadable` is called with the reason if there is a file that cannot be
 * used: the next position replaces it.
 */
export async function readListenState(
  file: string,
  url: string,
  onUnreadable: (reason: string) => void,
): Promise<ListenState> {
  let known: ListenState | null = null;
  try {
    known = parseState(await readFile(file, 'utf8'));
    if (!known) onUnreadable('it has another form');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) onUnreadable(error instanceof Error ? systemErrorReason(error) : String(error));
  }
  if (known?.url === url) return known;
  return { url, lastEventId: null, secret: known?.secret ?? `whsec_${randomBytes(32).toString('base64')}` };
}

/** Replaces the file atomically. Only the current user can read it. */
export async function writeListenState(file: string, state: ListenState): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function parseState(text: string): ListenState | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value.url !== 'string' || typeof value.secret !== 'string') return null;
    const { url, secret, lastEventId } = value;
    return { url, secret, lastEventId: typeof lastEventId === 'string' ? lastEventId : null };
  } catch {
    return null;
  }
}

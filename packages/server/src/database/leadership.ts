import pg from 'pg';
import { addSessionSettings } from './connection-url.ts';
import { serviceRole } from './roles.ts';

/** The exclusive right of this process to do a task, until the signal is aborted. */
export interface Leadership {
  readonly signal: AbortSignal;
  resign(): Promise<void>;
}

/**
 * Tries to become the one process that does the named task. Returns null when another process is the leader. The lock
 * lasts as long as the database connection, so a leader that dies is replaced.
 */
export async function tryToBecomeLeader(url: string, name: string): Promise<Leadership | null> {
  const client = new pg.Client({
    connectionString: addSessionSettings(url, { role: serviceRole, search_path: 'keyfront' }),
    application_name: `keyfront ${name}`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  await client.connect();
  const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS leads', [
    `keyfront ${name}`,
  ]);
  const resign = () => client.end().catch(() => undefined);
  if (rows[0]?.leads !== true) {
    await resign();
    return null;
  }
  return { signal: lost.signal, resign };
}

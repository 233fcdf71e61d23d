import pg from 'pg';
import { withSessionSettings } from './connection-url.ts';
import { serviceRole } from './roles.ts';

/** Being the one process that does something, for as long as the signal is not aborted. */
export interface Leadership {
  readonly signal: AbortSignal;
  resign(): Promise<void>;
}

/**
 * Tries to become the one process that does what the name says; null when another is. It lasts as long as the connection
 * does: whoever dies makes room by that.
 */
export async function tryToLead(url: string, name: string): Promise<Leadership | null> {
  const client = new pg.Client({
    connectionString: withSessionSettings(url, { role: serviceRole, search_path: 'keyfront' }),
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

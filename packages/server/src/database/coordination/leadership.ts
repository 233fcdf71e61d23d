import { acceptsWrites, closeSession, openSession } from '@keyfront/postgres';
import { holderRole } from '../connection/role-names.ts';

/** The exclusive right of this process to do a task, until the signal is aborted. */
export interface Leadership {
  readonly signal: AbortSignal;
  resign(): Promise<void>;
}

interface HeartbeatTiming {
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

const defaultHeartbeat: HeartbeatTiming = { intervalMs: 2_000, timeoutMs: 3_000 };

/**
 * Tries to become the one process that does the named task. Returns null when another process is the leader. The lock
 * lasts as long as the database connection, so a leader that dies is replaced. A heartbeat notices a connection that hangs
 * before PostgreSQL does, so that there are never two leaders. `url` leads to PostgreSQL itself, not to a pooler.
 */
export async function tryToBecomeLeader(
  url: string,
  name: string,
  heartbeat: HeartbeatTiming = defaultHeartbeat,
): Promise<Leadership | null> {
  const client = await openSession({
    url,
    applicationName: `keyfront ${name}`,
    settings: { role: holderRole, search_path: 'keyfront' },
    queryTimeoutMs: heartbeat.timeoutMs,
  });
  const lost = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const resign = (): Promise<void> => {
    clearTimeout(timer);
    lost.abort();
    return closeSession(client);
  };
  const beat = (): void => {
    timer = setTimeout(async () => {
      const hasResponded = await client.query('SELECT').then(
        () => true,
        () => false,
      );
      // After a failover another process leads on the new primary.
      if (hasResponded && acceptsWrites(client)) beat();
      else await resign();
    }, heartbeat.intervalMs);
    timer.unref();
  };
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS leads', [
      `keyfront ${name}`,
    ]);
    if (rows[0]?.leads === true) {
      beat();
      return { signal: lost.signal, resign };
    }
  } catch (error) {
    await resign();
    throw error;
  }
  await resign();
  return null;
}

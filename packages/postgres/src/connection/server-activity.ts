import pg from 'pg';
import { closeSession, destroySession, openSession } from './session.ts';

/** The states of server processes, by process id. 'unknown' if the server responds but does not tell. */
export type ServerActivity = 'unreachable' | 'unknown' | ReadonlyMap<number, string>;

export interface ServerActivityOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly processIds: readonly (number | null)[];
  readonly timeoutMs: number;
  /** Ends the attempt. */
  readonly signal?: AbortSignal;
}

/** Asks a server, on a new connection, what its processes do. */
export async function readServerActivity({
  url,
  applicationName,
  processIds,
  timeoutMs,
  signal,
}: ServerActivityOptions): Promise<ServerActivity> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const aborted = signal ? AbortSignal.any([signal, timeout]) : timeout;
  let probe: pg.Client | null = null;
  const destroy = () => probe && destroySession(probe);
  aborted.addEventListener('abort', destroy);
  try {
    probe = await openSession({
      url,
      applicationName,
      settings: null,
      connectTimeoutMs: timeoutMs,
      signal: aborted,
    });
    const { rows } = await probe.query<{ pid: number; state: string }>(
      'SELECT pid, state FROM pg_stat_activity WHERE pid = ANY($1)',
      [processIds],
    );
    return new Map(rows.map(({ pid, state }) => [pid, state]));
  } catch (error) {
    // For example too many connections: the server responds, so it is alive.
    return error instanceof pg.DatabaseError ? 'unknown' : 'unreachable';
  } finally {
    aborted.removeEventListener('abort', destroy);
    if (probe) void closeSession(probe);
  }
}

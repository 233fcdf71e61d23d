import pg from 'pg';
import { addSessionSettings, describeServer, parseServers } from './connection-url.ts';
import { ServerState } from './server-state.ts';

export interface SessionOptions {
  /** May name several servers. */
  readonly url: string;
  readonly applicationName: string;
  /** Null to begin the session without settings, which a connection pooler may not accept. */
  readonly settings: Record<string, string | number> | null;
  readonly connectTimeoutMs?: number;
  /** The default deadline of a query. A query can have its own (`query_timeout`). */
  readonly queryTimeoutMs?: number;
  /** Ends the attempt to connect. */
  readonly signal?: AbortSignal | undefined;
}

const defaultConnectTimeoutMs = 4_000;
const closeTimeoutMs = 1_000;

/** For every connection that begins with settings. */
export const connectionSettings = {
  // What waited for a lock must see what its owner has committed. A database or a user may have another default.
  default_transaction_isolation: 'read committed',
  // PostgreSQL ends a session whose client has silently disappeared, within about 25 seconds. Its locks would otherwise remain for hours.
  tcp_user_timeout: 20_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
} as const;

const states = new WeakMap<pg.Client, ServerState>();

/** Opens a connection for as long as a process runs, outside the pools, to the first server in the wanted state. */
export async function openSession(options: SessionOptions): Promise<pg.Client> {
  const { urls, target } = parseServers(options.url);
  options.signal?.throwIfAborted();
  const failures: { server: string; error: unknown }[] = [];
  for (const url of urls) {
    const client = new pg.Client({
      connectionString: options.settings
        ? addSessionSettings(url, { ...connectionSettings, ...options.settings })
        : url,
      application_name: options.applicationName,
      connectionTimeoutMillis: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
      query_timeout: options.queryTimeoutMs,
      keepAlive: true,
    });
    const state = new ServerState(client);
    states.set(client, state);
    // An 'error' event without a listener ends the process. The next query rejects as well.
    client.on('error', () => undefined);
    const abort = () => destroySession(client);
    options.signal?.addEventListener('abort', abort);
    try {
      await client.connect();
      await state.verify(target);
      return client;
    } catch (error) {
      failures.push({ server: describeServer(url), error });
      destroySession(client);
    } finally {
      options.signal?.removeEventListener('abort', abort);
    }
    options.signal?.throwIfAborted();
  }
  const [first] = failures;
  if (failures.length === 1 && first) throw first.error;
  throw new AggregateError(
    failures.map(({ error }) => error),
    failures.map(({ server, error }) => `${server}: ${describeError(error)}`).join('; '),
  );
}

/** Returns whether the server of a session is still the primary, as far as it has reported. */
export function acceptsWrites(client: pg.Client): boolean {
  return states.get(client)?.isOtherThan('read-write') === false;
}

/** Closes a session. A server that does not respond delays this only for a moment. */
export async function closeSession(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroySession(client), closeTimeoutMs);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}

/** Ends a session at once. Its running query rejects. */
export function destroySession(client: pg.ClientBase): void {
  const { connection } = client as unknown as { readonly connection: pg.Connection };
  connection.stream.destroy();
}

/** Returns the message of an error. That of a failed connection to several addresses of a host is empty. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message || String(error);
  return error.errors.map(describeError).join(', ');
}

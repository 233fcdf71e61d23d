import pg from 'pg';
import { addSessionSettings } from './connection-url.ts';
import type { MigrationSession } from './migration-session.ts';
import { platformRole } from './roles.ts';
import { ServerList } from './server-list.ts';
import { ServerState } from './server-state.ts';
import { connectionSettings } from './session.ts';
import { isFailover, isUnavailable } from './unavailable.ts';

/** The schema of graphile-worker. Another application in the same database may use its default. */
export const queueSchema = 'keyfront_queue';

/** How many connections a process opens for the queue, beside those of the database. One listens for jobs. */
export const queuePoolSize = 4;

/** The newest migration of graphile-worker that this version of it has. */
const queueVersion = 19;

// `to_regclass` fails for a schema that the user may not use.
const readState = `
  SELECT EXISTS (
      SELECT FROM pg_class WHERE relname = '_private_jobs' AND relnamespace = to_regnamespace('${queueSchema}')
    ) AS "isInstalled",
    coalesce(has_schema_privilege('${platformRole}', to_regnamespace('${queueSchema}')::oid, 'USAGE'), false) AS "isGranted"`;
const readVersion = `SELECT coalesce(max(id), 0) AS version FROM ${queueSchema}.migrations`;

// graphile-worker turns row-level security on without a policy, so that only the owner of its tables can use them.
const grantQueue = `
  DO $$
  DECLARE
    target regclass;
  BEGIN
    GRANT USAGE ON SCHEMA ${queueSchema} TO ${platformRole};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${queueSchema} TO ${platformRole};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${queueSchema} TO ${platformRole};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${queueSchema} TO ${platformRole};
    FOR target IN SELECT oid FROM pg_class
      WHERE relnamespace = '${queueSchema}'::regnamespace AND relkind = 'r' AND relrowsecurity
    LOOP
      EXECUTE format('DROP POLICY IF EXISTS platform ON %s', target);
      EXECUTE format('CREATE POLICY platform ON %s TO ${platformRole} USING (true) WITH CHECK (true)', target);
    END LOOP;
  END
  $$`;

/** Creates or upgrades the schema of the work queue, for the role of jobs. The caller holds the lock of migrations. */
export async function ensureWorkQueue(owner: MigrationSession, ownerUrl: string): Promise<void> {
  const { isInstalled, isGranted } = await readQueueState(owner);
  const isCurrent = isInstalled && (await hasQueueVersion(owner));
  if (!isCurrent) await runQueueMigrations(ownerUrl);
  if (!isCurrent || !isGranted) await owner.query(grantQueue);
}

/** Whether the role of jobs, which this session has, can use the newest schema of the work queue. */
export async function isWorkQueueReady(session: MigrationSession): Promise<boolean> {
  const { isInstalled, isGranted } = await readQueueState(session);
  return isInstalled && isGranted && (await hasQueueVersion(session));
}

async function readQueueState(
  session: MigrationSession,
): Promise<{ isInstalled: boolean; isGranted: boolean }> {
  const [state] = await session.query<{ isInstalled: boolean; isGranted: boolean }>(readState);
  return state ?? { isInstalled: false, isGranted: false };
}

async function hasQueueVersion(session: MigrationSession): Promise<boolean> {
  const [installed] = await session.query<{ version: number }>(readVersion);
  return (installed?.version ?? 0) >= queueVersion;
}

async function runQueueMigrations(ownerUrl: string): Promise<void> {
  // Loaded only where it is needed: it is large.
  const { Logger, runMigrations } = await import('graphile-worker');
  const pool = openSessionPool({
    url: ownerUrl,
    role: null,
    size: 1,
    durable: true,
    onIdleError: () => undefined,
  });
  try {
    await runMigrations({ pgPool: pool, schema: queueSchema, logger: new Logger(() => () => undefined) });
  } finally {
    await pool.end();
  }
}

export interface SessionPoolOptions {
  /** Leads to PostgreSQL itself, not to a pooler. May name several servers. */
  readonly url: string;
  /** Null: the role of the URL. */
  readonly role: string | null;
  readonly size: number;
  /** Whether a commit waits until it is durable. A job that is taken or completed need not be: at worst it runs again. */
  readonly durable: boolean;
  readonly onIdleError: (error: Error) => void;
}

/** Opens a pool of plain connections for graphile-worker, which listens on one of them. A lost server is replaced by the next one. */
export function openSessionPool({ url, role, size, durable, onIdleError }: SessionPoolOptions): pg.Pool {
  const servers = new ServerList(url);
  const settings = {
    timezone: 'UTC',
    ...(role === null ? {} : { role }),
    ...(durable ? {} : { synchronous_commit: 'off' }),
    ...connectionSettings,
  };
  const pool = new QueuePool({
    // pg knows only one server, so each client is made for the current one.
    Client: class extends QueueClient {
      constructor(options: pg.ClientConfig = {}) {
        const server = servers.current;
        super({ ...options, connectionString: addSessionSettings(server, settings) });
        // Also when it cannot be opened, which the client itself only tells its pool.
        const { connection } = this as unknown as { readonly connection: NodeJS.EventEmitter };
        connection.on('error', () => servers.moveOnFrom(server));
      }
    },
    max: size,
    connectionTimeoutMillis: 4_000,
    query_timeout: 30_000,
    keepAlive: true,
    application_name: 'keyfront queue',
    onConnect: async (client) => {
      const server = servers.current;
      try {
        await new ServerState(client as pg.Client).verify(servers.target);
      } catch (error) {
        servers.moveOnFrom(server);
        throw error;
      }
    },
  });
  pool.on('error', onIdleError);
  // An 'error' event without a listener ends the process. The next statement on the connection rejects as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * graphile-worker tries a statement again after this code, for hours. After others, such as that of a lost connection,
 * it leaves a rejection unhandled, which would end the process.
 */
const retryableCode = 'ETIMEDOUT';

function toRetryable(error: unknown): never {
  if (error instanceof Error && (isUnavailable(error) || !('code' in error)))
    throw Object.assign(new Error(error.message, { cause: error }), { code: retryableCode });
  throw error;
}

class QueueClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the method has ten signatures.
  override query(...parameters: any[]): any {
    const result = Reflect.apply(super.query, this, parameters);
    if (!(result instanceof Promise)) return result;
    return result.catch((error) => {
      // PostgreSQL reports that it ends a session before it closes the connection. The pool must not lend it again in between.
      if (isFailover(error)) this.end().catch(() => undefined);
      return toRetryable(error);
    });
  }
}

class QueuePool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: with a callback it returns nothing.
  override connect(callback?: any): any {
    return callback ? super.connect(callback) : super.connect().catch(toRetryable);
  }
}

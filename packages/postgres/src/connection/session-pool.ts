import pg from 'pg';
import { addSessionSettings } from './connection-url.ts';
import { ServerList } from './server-list.ts';
import { ServerState } from './server-state.ts';
import { connectionSettings } from './session.ts';
import { isFailover, isUnavailable } from './unavailable.ts';

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
  const pool = new QueuePool(servers.count, {
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
  readonly #serverCount: number;

  constructor(serverCount: number, options: pg.PoolConfig) {
    super(options);
    this.#serverCount = serverCount;
  }

  // biome-ignore lint/suspicious/noExplicitAny: with a callback it returns nothing.
  override connect(callback?: any): any {
    return callback ? super.connect(callback) : this.#connectToAny().catch(toRetryable);
  }

  /** Tries each server once: the migrations of graphile-worker give up after the first failure. */
  async #connectToAny(): Promise<pg.PoolClient> {
    for (let failures = 1; ; failures++) {
      try {
        return await super.connect();
      } catch (error) {
        if (failures >= this.#serverCount) throw error;
      }
    }
  }
}

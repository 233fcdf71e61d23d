import pg from 'pg';
import { StartError } from '../start-error.ts';
import { cancelOnDisconnect } from './cancel-on-disconnect.ts';
import { addSessionSettings } from './connection-url.ts';
import { enterScope, prepareLeadingStatements } from './leading-statements.ts';
import type { Migration } from './migrations.ts';
import { execute } from './pipelined-query.ts';
import { platformRole, serviceRole } from './roles.ts';
import type { Scope } from './scope.ts';
import { type Statement, statement } from './statement.ts';
import { streamRows } from './stream.ts';
import {
  isRetryableConflict,
  type RunInTransaction,
  type RunStatement,
  runTransaction,
} from './transaction.ts';
import { DatabaseUnavailable, isUnavailable } from './unavailable.ts';

export interface DatabaseOptions {
  readonly url: string;
  /** Connections for holders. Administrators and jobs have a second pool of half the size. */
  readonly poolSize: number;
  /** Called when an idle connection is lost. The pool replaces it. */
  readonly onIdleError?: (error: Error) => void;
}

/** How many streams may run at a time for each role. */
const streamPoolSize = 2;
const platformPoolSizeFor = (poolSize: number): number => Math.ceil(poolSize / 2);

/** Returns how many connections a `Database` of this pool size opens at most. */
export function countConnections(poolSize: number): number {
  return poolSize + platformPoolSizeFor(poolSize) + 2 * streamPoolSize;
}

const connectTimeoutMs = 5_000;
const statementTimeoutMs = 30_000;
/** How often a transaction is attempted before its caller gets `DatabaseUnavailable`. */
const maxAttempts = 5;

const listMigrations = statement<{ name: string; checksum: string }>(
  'migrations.list',
  'SELECT name, checksum FROM migrations',
);

/**
 * Gives access to the data. The data of holders is reached only through methods that take a scope first; `queryShared` is for
 * data without an owner, and row-level security hides everything else from it.
 */
export class Database {
  readonly #service: pg.Pool;
  readonly #platform: pg.Pool;
  readonly #serviceStreams: pg.Pool;
  readonly #platformStreams: pg.Pool;
  #isClosing = false;
  /** Connections for holders. */
  readonly poolSize: number;

  constructor({ url, poolSize, onIdleError }: DatabaseOptions) {
    this.poolSize = poolSize;
    this.#service = openPool(url, serviceRole, poolSize);
    this.#platform = openPool(url, platformRole, platformPoolSizeFor(poolSize));
    this.#serviceStreams = openPool(url, serviceRole, streamPoolSize);
    this.#platformStreams = openPool(url, platformRole, streamPoolSize);
    for (const pool of this.#pools) {
      // An 'error' event without a listener ends the process. While closing, lost connections are expected.
      pool.on('error', (error) => {
        if (!this.#isClosing) onIdleError?.(error);
      });
    }
  }

  /** Runs one statement on the data that the scope may see. */
  async query<Row>(scope: Scope, statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    const isHolder = scope.role === 'holder';
    const clientConnection = scope.role === 'system' ? undefined : scope.clientConnection;
    return withConnection(isHolder ? this.#service : this.#platform, (client) => {
      const work = () => execute(client, statement, values, isHolder ? [enterScope(scope)] : []);
      return clientConnection ? cancelOnDisconnect(client, clientConnection, work) : work();
    });
  }

  /** Returns a function that runs statements in the scope, for code that also runs inside transactions. */
  within(scope: Scope): RunStatement {
    return (statement, values) => this.query(scope, statement, values);
  }

  /**
   * Runs several statements in one transaction. The work is repeated when it conflicts with a concurrent transaction, so
   * it must have no effects other than its statements.
   */
  async transaction<Result>(scope: Scope, work: (run: RunInTransaction) => Promise<Result>): Promise<Result> {
    const pool = scope.role === 'holder' ? this.#service : this.#platform;
    for (let attempt = 1; ; attempt++) {
      try {
        return await withConnection(pool, (client) => runTransaction(client, scope, work));
      } catch (error) {
        if (!isRetryableConflict(error)) throw error;
        if (attempt === maxAttempts)
          throw new DatabaseUnavailable('Every attempt conflicted with another transaction', {
            cause: error,
          });
      }
    }
  }

  /**
   * Yields the rows of one statement in batches. Streams have connections of their own, because a slow reader keeps one busy
   * and must not delay other queries.
   */
  async *stream<Row>(scope: Scope, statement: Statement<Row>, values: unknown[] = []): AsyncGenerator<Row[]> {
    const pool = scope.role === 'holder' ? this.#serviceStreams : this.#platformStreams;
    const client = await connect(pool);
    let isBroken = false;
    try {
      yield* streamRows(client, scope, statement, values);
    } catch (error) {
      isBroken = isUnavailable(error);
      throw isBroken ? new DatabaseUnavailable('The database did not respond', { cause: error }) : error;
    } finally {
      client.release(isBroken);
    }
  }

  /** Runs one statement on data without an owner, such as the catalogue. The tables of holders appear empty to it. */
  async queryShared<Row>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    return withConnection(this.#service, (client) => execute(client, statement, values));
  }

  /** Returns whether all of these migrations are applied. Throws `DatabaseUnavailable` if the database is unavailable. */
  async hasMigrations(migrations: readonly Migration[]): Promise<boolean> {
    const rows = await this.queryShared(listMigrations);
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    return migrations.every((migration) => applied.get(migration.name) === migration.checksum);
  }

  /** Throws a `StartError` if row-level security does not apply to one of the roles. */
  async verifyRoles(): Promise<void> {
    for (const pool of [this.#service, this.#platform]) {
      const [role] = await withConnection(pool, (client) => execute(client, describeRole, []));
      if (!role || role.isSuperuser || role.bypassesPolicies || role.ownsTables) {
        throw new StartError(
          `The database role ${role?.name ?? ''} owns tables or bypasses row-level security, which keeps the data of ` +
            'holders apart: take these privileges away from it.',
        );
      }
    }
  }

  /** Returns how many connections exist, how many of them are idle, and how many calls wait for one. */
  poolUsage(): { total: number; idle: number; waiting: number } {
    const usage = { total: 0, idle: 0, waiting: 0 };
    for (const pool of this.#pools) {
      usage.total += pool.totalCount;
      usage.idle += pool.idleCount;
      usage.waiting += pool.waitingCount;
    }
    return usage;
  }

  get #pools(): pg.Pool[] {
    return [this.#service, this.#platform, this.#serviceStreams, this.#platformStreams];
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }
}

const describeRole = statement<{
  name: string;
  isSuperuser: boolean;
  bypassesPolicies: boolean;
  ownsTables: boolean;
}>(
  'role.describe',
  `SELECT rolname AS name, rolsuper AS "isSuperuser", rolbypassrls AS "bypassesPolicies",
     EXISTS (SELECT FROM pg_class WHERE relowner = pg_roles.oid) AS "ownsTables"
   FROM pg_roles WHERE rolname = current_user`,
);

function openPool(url: string, role: string, size: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: addSessionSettings(url, {
      role,
      search_path: 'keyfront',
      timezone: 'UTC',
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
    }),
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    // The server cancels the statement first. This is for a server that does not respond at all.
    query_timeout: statementTimeoutMs + 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'keyfront',
    pipeline: true,
    onConnect: prepareLeadingStatements,
  });
  // An 'error' event without a listener ends the process. The next statement on the connection rejects as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable('No connection to the database', { cause: error });
  }
}

async function withConnection<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await connect(pool);
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    isBroken = isUnavailable(error);
    throw isBroken ? new DatabaseUnavailable('The database did not respond', { cause: error }) : error;
  } finally {
    client.release(isBroken);
  }
}

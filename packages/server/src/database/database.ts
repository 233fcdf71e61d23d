import pg from 'pg';
import { StartError } from '../start-error.ts';
import { cancelOnDisconnect } from './cancel-on-disconnect.ts';
import { withSessionSettings } from './connection-url.ts';
import { prepareLeadingStatements, scoping } from './leading-statements.ts';
import type { Migration } from './migrations.ts';
import { execute } from './pipelined-query.ts';
import { platformRole, serviceRole } from './roles.ts';
import type { Scope } from './scope.ts';
import { type Statement, statement } from './statement.ts';
import { streamRows } from './stream.ts';
import {
  isPassingConflict,
  type RunInTransaction,
  type RunStatement,
  runTransaction,
} from './transaction.ts';
import { DatabaseUnavailable, isUnavailable } from './unavailable.ts';

export interface DatabaseOptions {
  readonly url: string;
  /** Connections for the holders; those who work across scopes have half as many of their own. */
  readonly poolSize: number;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/** How many streams of each kind may run at a time. */
const streamPoolSize = 2;
const platformPoolSize = (poolSize: number): number => Math.ceil(poolSize / 2);

/** How many connections a `Database` of this pool size opens at most. */
export function connectionsOf(poolSize: number): number {
  return poolSize + platformPoolSize(poolSize) + 2 * streamPoolSize;
}

const connectTimeoutMs = 5_000;
const statementTimeoutMs = 30_000;
/** How often a transaction is run before its caller is asked to come again. */
const mostAttempts = 5;

const listMigrations = statement<{ name: string; checksum: string }>(
  'migrations.list',
  'SELECT name, checksum FROM migrations',
);

/**
 * The service's way to its data. A holder's data is reached through `query` and `transaction` alone, which take the
 * scope first; what belongs to nobody through `queryShared`, which row-level security shows nothing else.
 */
export class Database {
  readonly #service: pg.Pool;
  readonly #platform: pg.Pool;
  readonly #serviceStreams: pg.Pool;
  readonly #platformStreams: pg.Pool;
  #isClosing = false;
  /** Connections for the holders. */
  readonly poolSize: number;

  constructor({ url, poolSize, onIdleError }: DatabaseOptions) {
    this.poolSize = poolSize;
    this.#service = openPool(url, serviceRole, poolSize, shortReads);
    this.#platform = openPool(url, platformRole, platformPoolSize(poolSize), shortReads);
    this.#serviceStreams = openPool(url, serviceRole, streamPoolSize, {});
    this.#platformStreams = openPool(url, platformRole, streamPoolSize, {});
    for (const pool of this.#pools) {
      // Without a listener a broken idle connection would end the process. Once it closes, nobody needs to know.
      pool.on('error', (error) => {
        if (!this.#isClosing) onIdleError?.(error);
      });
    }
  }

  /** One statement on a holder's data, seen through the scope. */
  async query<Row>(scope: Scope, statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    const isHolder = scope.role === 'holder';
    const presence = scope.role === 'system' ? undefined : scope.presence;
    return run(isHolder ? this.#service : this.#platform, (client) => {
      const work = () => execute(client, statement, values, isHolder ? [scoping(scope)] : []);
      return presence ? cancelOnDisconnect(client, presence, work) : work();
    });
  }

  /** For what is done alike within a transaction and without one. */
  within(scope: Scope): RunStatement {
    return (statement, values) => this.query(scope, statement, values);
  }

  /**
   * Several statements on a holder's data, all or nothing. The work is run again when another transaction came between,
   * so it does nothing but run statements and reckon with what they say.
   */
  async transaction<Result>(scope: Scope, work: (run: RunInTransaction) => Promise<Result>): Promise<Result> {
    const pool = scope.role === 'holder' ? this.#service : this.#platform;
    for (let attempt = 1; ; attempt++) {
      try {
        return await run(pool, (client) => runTransaction(client, scope, work));
      } catch (error) {
        if (!isPassingConflict(error)) throw error;
        if (attempt === mostAttempts)
          throw new DatabaseUnavailable('Others kept coming between', { cause: error });
      }
    }
  }

  /**
   * The rows of one statement on a holder's data, in pieces, however many they are. On connections of its own: whoever
   * reads slowly holds one up, and must not hold up everybody.
   */
  async *stream<Row>(scope: Scope, statement: Statement<Row>, values: unknown[] = []): AsyncGenerator<Row[]> {
    const pool = scope.role === 'holder' ? this.#serviceStreams : this.#platformStreams;
    const client = await connect(pool);
    let broken = false;
    try {
      yield* streamRows(client, scope, statement, values);
    } catch (error) {
      broken = isUnavailable(error);
      throw broken ? new DatabaseUnavailable('The database did not answer', { cause: error }) : error;
    } finally {
      client.release(broken);
    }
  }

  /** One statement on what belongs to nobody: the catalogue. Holders' tables look empty from here. */
  async queryShared<Row>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    return run(this.#service, (client) => execute(client, statement, values));
  }

  /** Whether every one of these migrations is applied. Throws `DatabaseUnavailable` when the database is away. */
  async hasMigrations(migrations: readonly Migration[]): Promise<boolean> {
    const rows = await this.queryShared(listMigrations);
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    return migrations.every((migration) => applied.get(migration.name) === migration.checksum);
  }

  /** Refuses to go on under a role that row-level security does not hold. */
  async verifyRoles(): Promise<void> {
    for (const pool of [this.#service, this.#platform]) {
      const [role] = await run(pool, (client) => execute(client, describeRole, []));
      if (!role || role.isSuperuser || role.bypassesPolicies || role.ownsTables) {
        throw new StartError(
          `The database role ${role?.name ?? ''} owns tables or bypasses row-level security: take that from it, since ` +
            `nothing would keep one holder's data from another.`,
        );
      }
    }
  }

  /** How many connections there are, how many of them idle, and how many calls wait for one. */
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

/**
 * For statements that read little. Where rows are written and deleted all the time, a plain scan of an index marks what it
 * finds to be gone, and the next one passes over it; others meet it again and again, until the next vacuum.
 */
const shortReads = { enable_bitmapscan: 'off', enable_seqscan: 'off' };

function openPool(url: string, role: string, size: number, planning: Record<string, string>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: withSessionSettings(url, {
      role,
      search_path: 'keyfront',
      timezone: 'UTC',
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
      ...planning,
    }),
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    // The server cancels first; this is for a server that does not answer at all.
    query_timeout: statementTimeoutMs + 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'keyfront',
    pipeline: true,
    onConnect: prepareLeadingStatements,
  });
  // Without a listener a connection that breaks between two statements of whoever holds it would end the process. The
  // next statement tells.
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

async function run<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await connect(pool);
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    broken = isUnavailable(error);
    throw broken ? new DatabaseUnavailable('The database did not answer', { cause: error }) : error;
  } finally {
    client.release(broken);
  }
}

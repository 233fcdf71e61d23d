import { StartError } from '../start-error.ts';
import { cancelOnDisconnect } from './cancel-on-disconnect.ts';
import { ConnectionPool, toUnavailable } from './connection-pool.ts';
import { beginInScope, enterScope } from './leading-statements.ts';
import type { Migration } from './migrations.ts';
import { execute } from './pipelined-query.ts';
import { platformRole, serviceRole } from './roles.ts';
import type { Scope } from './scope.ts';
import { ServerList } from './server-list.ts';
import { defaultSilenceTiming, type SilenceTiming, SilenceWatch } from './silence-watch.ts';
import { explainStartFailure } from './start-failure.ts';
import { type Statement, statement } from './statement.ts';
import { streamRows, streamTimeoutMs } from './stream.ts';
import {
  isRetryableConflict,
  type RunInTransaction,
  type RunStatement,
  runTransaction,
} from './transaction.ts';
import { DatabaseUnavailable } from './unavailable.ts';

export interface DatabaseOptions {
  /** May name several servers. */
  readonly url: string;
  /**
   * The same database without the connection pooler that `url` leads to. Null if `url` leads to PostgreSQL itself. Streams
   * use it, because each would occupy a connection of the pooler for minutes.
   */
  readonly directUrl?: string | null;
  /** Connections for holders. Administrators and jobs have a second pool of half the size. */
  readonly poolSize: number;
  /** Called when an idle connection is lost. The pool replaces it. */
  readonly onIdleError?: (error: Error) => void;
  /** Called when connections were destroyed because the server no longer responded. */
  readonly onSilence?: () => void;
  readonly silenceTiming?: SilenceTiming;
  /** A connection is replaced after this time. */
  readonly maxConnectionAgeMs?: number;
}

const defaultMaxConnectionAgeMs = 30 * 60_000;

/** How many streams may run at a time for each role. */
const streamPoolSize = 2;
const platformPoolSizeFor = (poolSize: number): number => Math.ceil(poolSize / 2);

/** Returns how many connections a `Database` of this pool size opens at most. */
export function countConnections(poolSize: number): number {
  return poolSize + platformPoolSizeFor(poolSize) + 2 * streamPoolSize;
}

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
  readonly #url: string;
  readonly #service: ConnectionPool;
  readonly #platform: ConnectionPool;
  readonly #serviceStreams: ConnectionPool;
  readonly #platformStreams: ConnectionPool;
  #isClosing = false;
  /** Connections for holders. */
  readonly poolSize: number;
  /** Connections for the streams of each role. */
  readonly streamPoolSize = streamPoolSize;

  constructor(options: DatabaseOptions) {
    const { url, directUrl = null, poolSize } = options;
    const { silenceTiming: timing = defaultSilenceTiming } = options;
    const { maxConnectionAgeMs: maxAgeMs = defaultMaxConnectionAgeMs } = options;
    this.#url = url;
    this.poolSize = poolSize;
    const createOpener = (serverUrl: string, isBehindPooler: boolean) => {
      const servers = new ServerList(serverUrl);
      const watch = new SilenceWatch({
        timing,
        knowsServerProcesses: !isBehindPooler,
        onSilence: () => {
          servers.retireConnections();
          options.onSilence?.();
        },
      });
      const onIdleError = (error: Error): void => {
        // While closing, lost connections are expected.
        if (!this.#isClosing) options.onIdleError?.(error);
      };
      return (role: string, size: number, idleInTransactionMs?: number) =>
        new ConnectionPool({
          ...{ servers, watch, role, size, isBehindPooler, maxAgeMs, onIdleError },
          ...(idleInTransactionMs === undefined ? {} : { idleInTransactionMs }),
        });
    };
    const openPool = createOpener(url, directUrl !== null);
    const openDirectPool = directUrl === null ? openPool : createOpener(directUrl, false);
    this.#service = openPool(serviceRole, poolSize);
    this.#platform = openPool(platformRole, platformPoolSizeFor(poolSize));
    // The transaction of a stream waits for its client, and ends when the client stops reading.
    this.#serviceStreams = openDirectPool(serviceRole, streamPoolSize, streamTimeoutMs);
    this.#platformStreams = openDirectPool(platformRole, streamPoolSize, streamTimeoutMs);
  }

  /** Runs one statement on the data that the scope may see. */
  async query<Row>(scope: Scope, statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    const isHolder = scope.role === 'holder';
    const { clientConnection } = scope;
    // The nonce and the statement must be stored together.
    if (isHolder && scope.nonce?.isFree) return this.transaction(scope, (run) => run(statement, values));
    const pool = isHolder ? this.#service : this.#platform;
    return pool.run((client) => {
      const leading = pool.session ? [pool.session] : [];
      if (isHolder) leading.push(enterScope(scope));
      const work = () => execute(client, statement, values, leading);
      return clientConnection ? cancelOnDisconnect(client, clientConnection, work) : work();
    });
  }

  /** Returns a function that runs statements in the scope, for code that also runs inside transactions. */
  within(scope: Scope): RunStatement {
    return (statement, values) => this.query(scope, statement, values);
  }

  /**
   * Runs several statements in one transaction. The work is repeated when it conflicts with a concurrent transaction, so
   * it must have no effects other than its statements. It also stores the nonce of the scope, if there is one.
   */
  async transaction<Result>(scope: Scope, work: (run: RunInTransaction) => Promise<Result>): Promise<Result> {
    const nonce = scope.role === 'holder' ? scope.nonce : undefined;
    if (!nonce?.isFree) return this.#runTransaction(scope, work);
    return nonce.storeIn(work, (storing) => this.#runTransaction(scope, storing));
  }

  async #runTransaction<Result>(
    scope: Scope,
    work: (run: RunInTransaction) => Promise<Result>,
  ): Promise<Result> {
    const pool = scope.role === 'holder' ? this.#service : this.#platform;
    for (let attempt = 1; ; attempt++) {
      try {
        return await pool.run((client) => runTransaction(client, beginInScope(scope, pool.session), work));
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
    const client = await pool.connect();
    let failure: unknown = null;
    try {
      yield* streamRows(client, scope, statement, values);
    } catch (error) {
      failure = error;
      throw toUnavailable(error);
    } finally {
      pool.release(client, failure);
    }
  }

  /** Runs one statement on data without an owner, such as the catalogue. The tables of holders appear empty to it. */
  async queryShared<Row>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    const { session } = this.#service;
    return this.#service.run((client) => execute(client, statement, values, session ? [session] : []));
  }

  /** Returns whether all of these migrations are applied. Throws `DatabaseUnavailable` if the database is unavailable. */
  async hasMigrations(migrations: readonly Migration[]): Promise<boolean> {
    const rows = await this.queryShared(listMigrations);
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    return migrations.every((migration) => applied.get(migration.name) === migration.checksum);
  }

  /**
   * Returns whether the database has these migrations and accepts writes. It proves that by writing to the log of the
   * database. Throws `DatabaseUnavailable` if the database is unavailable or read-only.
   */
  async isReady(migrations: readonly Migration[]): Promise<boolean> {
    if (!(await this.hasMigrations(migrations))) return false;
    const [row] = await this.queryShared(proveWritable);
    if (!row?.position) throw new DatabaseUnavailable('The database accepts no writes');
    return true;
  }

  /** Throws a `StartError` if row-level security does not apply to one of the roles. */
  async verifyRoles(): Promise<void> {
    for (const [expected, pool] of [
      [serviceRole, this.#service],
      [platformRole, this.#platform],
    ] as const) {
      const [role] = await this.#describeRole(pool);
      if (role?.name !== expected || role.isSuperuser || role.bypassesPolicies || role.ownsTables) {
        throw new StartError(
          `The database role ${role?.name ?? ''} owns tables or bypasses row-level security, which keeps the data of ` +
            'holders apart: take these privileges away from it.',
        );
      }
    }
  }

  async #describeRole(pool: ConnectionPool) {
    try {
      return await pool.run((client) =>
        execute(client, describeRole, [], pool.session ? [pool.session] : []),
      );
    } catch (error) {
      throw explainStartFailure(this.#url, error);
    }
  }

  /** Returns how many connections exist, how many of them are idle, and how many calls wait for one. */
  poolUsage(): { total: number; idle: number; waiting: number } {
    const usage = { total: 0, idle: 0, waiting: 0 };
    for (const pool of this.#pools) {
      const { total, idle, waiting } = pool.usage;
      usage.total += total;
      usage.idle += idle;
      usage.waiting += waiting;
    }
    return usage;
  }

  get #pools(): ConnectionPool[] {
    return [this.#service, this.#platform, this.#serviceStreams, this.#platformStreams];
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }
}

// The message needs no table. Its commit is written to disk, and to synchronous standbys, like that of any change.
const proveWritable = statement<{ position: string | null }>(
  'database.prove-writable',
  `SELECT CASE current_setting('transaction_read_only')
     WHEN 'off' THEN pg_logical_emit_message(true, 'keyfront', 'ready')::text
   END AS position`,
);

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

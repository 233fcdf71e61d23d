import {
  type ConnectionPool,
  DatabaseUnavailable,
  defaultSilenceTiming,
  execute,
  type LeadingStatement,
  type SilenceTiming,
  type Statement,
  statement,
  toUnavailable,
} from '@keyfront/postgres';
import type pg from 'pg';
import { StartError } from '../lib/errors/start-error.ts';
import { cancelOnDisconnect } from './connection/cancel-on-disconnect.ts';
import type { ReadRoute, ReplicaAccess } from './connection/read-route.ts';
import { adminRole, holderRole } from './connection/role-names.ts';
import { ServerPools, streamPoolSize } from './connection/server-pools.ts';
import { explainStartFailure } from './connection/start-failure.ts';
import type { Migration } from './migrations/migrations.ts';
import { describeInherited, inheritsCurrentRole } from './migrations/roles.ts';
import type { ReplicaState } from './replicas/replica.ts';
import { openReplicas, type ReplicaSet } from './replicas/replica-set.ts';
import {
  beginInScope,
  enterScope,
  limitLockWait,
  prepareLeadingStatements,
} from './transactions/leading-statements.ts';
import { runGroup, type SharedWork } from './transactions/merged-statements.ts';
import { type HolderScope, isLimited, type Scope, systemScope } from './transactions/scope.ts';
import { type StreamedQuery, type StreamPlan, streamRows, streamSnapshot } from './transactions/stream.ts';
import {
  isRetryableConflict,
  type RunInTransaction,
  type RunStatement,
  runTransaction,
} from './transactions/transaction.ts';
import {
  type RunTogether,
  type SharedRequests,
  TransactionGroups,
} from './transactions/transaction-groups.ts';

export interface DatabaseOptions {
  /** May name several servers. */
  readonly url: string;
  /**
   * The same database without the connection pooler that `url` leads to. Null if `url` leads to PostgreSQL itself. Streams
   * use it, because each would occupy a connection of the pooler for minutes.
   */
  readonly directUrl?: string | null;
  /** Replicas for reads of many rows, which lead to PostgreSQL itself. The default is none. */
  readonly replicaUrls?: readonly string[];
  /** Connections for holders. Administrators and jobs have a second pool of half the size. */
  readonly poolSize: number;
  /** Called when an idle connection is lost. The pool replaces it. */
  readonly onIdleError?: (error: Error) => void;
  /** Called when connections were destroyed because the server no longer responded. */
  readonly onSilence?: () => void;
  readonly silenceTiming?: SilenceTiming;
  /** How long a read waits for a replica that lags behind. */
  readonly catchUpTimeoutMs?: number;
  /** Called when a replica is left out, or taken in. */
  readonly onReplicaChange?: (name: string, state: ReplicaState, cause: unknown) => void;
  /** A connection is replaced after this time. */
  readonly maxConnectionAgeMs?: number;
}

const defaultMaxConnectionAgeMs = 30 * 60_000;

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
  readonly #primary: ServerPools;
  readonly #replicas: ReplicaSet | null;
  readonly #groups = new TransactionGroups<HolderScope>((scope, works) => this.#runTogether(scope, works));
  #isClosing = false;
  /** Connections for holders. */
  readonly poolSize: number;
  /** Connections for the streams of each role. */
  readonly streamPoolSize = streamPoolSize;

  constructor(options: DatabaseOptions) {
    const { url, directUrl = null, poolSize, replicaUrls = [] } = options;
    this.#url = url;
    this.poolSize = poolSize;
    const shared = {
      poolSize,
      silenceTiming: options.silenceTiming ?? defaultSilenceTiming,
      maxConnectionAgeMs: options.maxConnectionAgeMs ?? defaultMaxConnectionAgeMs,
      onIdleError: (error: Error): void => {
        // While closing, lost connections are expected.
        if (!this.#isClosing) options.onIdleError?.(error);
      },
      onSilence: () => options.onSilence?.(),
    };
    this.#primary = new ServerPools({ ...shared, url, directUrl, prepare: prepareLeadingStatements });
    this.#replicas =
      replicaUrls.length === 0
        ? null
        : openReplicas({
            urls: replicaUrls,
            primary: this.#primary.openSinglePool(),
            pools: shared,
            catchUpTimeoutMs: options.catchUpTimeoutMs,
            onChange: options.onReplicaChange,
          });
  }

  /** Begins a read whose queries may go to a replica. Undefined if there are none. */
  beginReplicaRead(): ReadRoute | undefined {
    return this.#replicas?.begin();
  }

  /** The replicas, for the metrics. */
  get replicas(): ReplicaSet | null {
    return this.#replicas;
  }

  /** Runs one statement on the data that the scope may see. */
  async query<Row>(scope: Scope, statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    // The nonce and the statement must be stored together.
    if (scope.role === 'holder' && scope.nonce?.isFree)
      return this.transaction(scope, (tx) => tx(statement, values));
    const onPrimary = () => this.#queryOn(this.#primary, null, scope, statement, values);
    if (!scope.replicaRead) return onPrimary();
    return scope.replicaRead.run(
      ({ pools, requirePosition }) => this.#queryOn(pools, requirePosition, scope, statement, values),
      onPrimary,
    );
  }

  #queryOn<Row>(
    pools: ServerPools,
    requirePosition: LeadingStatement | null,
    scope: Scope,
    statement: Statement<Row>,
    values: unknown[],
  ): Promise<Row[]> {
    const { clientConnection } = scope;
    const pool = pools.poolOf(isLimited(scope));
    return pool.run((client) => {
      const leading = [...pool.session];
      if (requirePosition) leading.push(requirePosition);
      if (isLimited(scope)) leading.push(enterScope(scope));
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
  async transaction<Result>(scope: Scope, work: (tx: RunInTransaction) => Promise<Result>): Promise<Result> {
    const nonce = scope.role === 'holder' ? scope.nonce : undefined;
    if (!nonce?.isFree) return this.#runTransaction(scope, work);
    return nonce.storeIn(work, (storing) => this.#runTransaction(scope, storing));
  }

  /**
   * Like `transaction`, but may batch with the holder's concurrent ones. Before the commit, the work may run only statements that merge
   * reads. Works with a conflict key in common do not share a transaction.
   */
  async shareTransaction<Result>(
    scope: HolderScope,
    conflictKeys: readonly string[],
    work: SharedWork<Result>,
  ): Promise<Result> {
    const { role, holderId, tokenId, walletAddress, nonce } = scope;
    const shared = { role, holderId, tokenId, walletAddress };
    let isCommitted = false;
    try {
      const result = await this.#groups.run(`${holderId} ${tokenId} ${walletAddress}`, shared, {
        conflictKeys,
        work: (tx) => {
          nonce?.storeAtCommit(tx);
          return work(tx);
        },
        runAlone: () => {
          nonce?.endShared(false);
          return this.transaction(scope, work);
        },
      });
      isCommitted = true;
      return result;
    } finally {
      nonce?.endShared(isCommitted);
    }
  }

  /** How many requests have shared a transaction, for the metrics. */
  get sharedRequests(): SharedRequests {
    return this.#groups.outcomeCounts;
  }

  #runTogether: RunTogether<HolderScope> = (scope, works) => {
    const pool = this.#primary.poolOf(isLimited(scope));
    return pool.run((client) =>
      runTransaction(client, beginInScope(scope, ...pool.session, limitLockWait), (tx) =>
        runGroup(tx, works),
      ),
    );
  };

  async #runTransaction<Result>(
    scope: Scope,
    work: (tx: RunInTransaction) => Promise<Result>,
  ): Promise<Result> {
    const pool = this.#primary.poolOf(isLimited(scope));
    for (let attempt = 1; ; attempt++) {
      try {
        return await pool.run((client) => runTransaction(client, beginInScope(scope, ...pool.session), work));
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
   * Yields what a writer makes of the rows of one statement, in batches. Streams have connections of their own, because a slow
   * reader keeps one busy and must not delay other queries.
   */
  async *stream(scope: Scope, query: StreamedQuery): AsyncGenerator<Buffer> {
    const access = (await scope.replicaRead?.access()) ?? null;
    if (access) {
      const stream = await this.#openReplicaStream(access, scope, query);
      // Once it has begun, it fails with its replica: the rest of the rows would be of another snapshot.
      if (stream) return yield* stream;
    }
    yield* this.#streamFrom(this.#primary, scope, (client) => streamRows(client, scope, query));
  }

  /** The same for several statements of one snapshot, always of the primary. */
  streamSnapshot(scope: Scope, plan: StreamPlan): AsyncGenerator<Buffer> {
    return this.#streamFrom(this.#primary, scope, (client) => streamSnapshot(client, scope, plan));
  }

  /** Returns null if the replica cannot serve the stream. */
  async #openReplicaStream(
    access: ReplicaAccess,
    scope: Scope,
    query: StreamedQuery,
  ): Promise<AsyncGenerator<Buffer> | null> {
    try {
      return await access.untilReplayed(() =>
        startStream(
          this.#streamFrom(access.pools, scope, (client) =>
            streamRows(client, scope, query, access.requirePosition),
          ),
        ),
      );
    } catch (error) {
      scope.replicaRead?.leave(error);
      return null;
    }
  }

  async *#streamFrom(
    pools: ServerPools,
    scope: Scope,
    read: (client: pg.PoolClient) => AsyncGenerator<Buffer>,
  ): AsyncGenerator<Buffer> {
    const pool = pools.streamPoolOf(isLimited(scope));
    const client = await pool.connect();
    let failure: unknown = null;
    try {
      yield* read(client);
    } catch (error) {
      failure = error;
      throw toUnavailable(error);
    } finally {
      pool.release(client, failure);
    }
  }

  /** Runs one statement on data without an owner, such as the catalogue. The tables of holders appear empty to it. */
  async queryShared<Row>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    const { holders } = this.#primary;
    const { session } = holders;
    return holders.run((client) => execute(client, statement, values, session));
  }

  /** Returns whether all of these migrations are applied. Throws `DatabaseUnavailable` if the database is unavailable. */
  async hasMigrations(migrations: readonly Migration[]): Promise<boolean> {
    const rows = await this.queryShared(listMigrations);
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    return migrations.every((migration) => applied.get(migration.name) === migration.checksum);
  }

  /**
   * Returns whether the database has these migrations and accepts writes. It proves that by writing to the log of the
   * database, and to a temporary file. Throws `DatabaseUnavailable` if the database is unavailable or read-only, or its disk is full.
   */
  async isReady(migrations: readonly Migration[]): Promise<boolean> {
    if (!(await this.hasMigrations(migrations))) return false;
    const { holders } = this.#primary;
    const [row] = await holders.run((client) =>
      runTransaction(client, beginInScope(systemScope, ...holders.session), async (tx) => {
        // One round trip.
        const [, rows] = await Promise.all([tx(useLeastMemory), tx(proveWritable)]);
        return rows;
      }),
    );
    if (!row?.position) throw new DatabaseUnavailable('The database accepts no writes');
    return true;
  }

  /** Throws a `StartError` if row-level security does not apply to one of the roles. */
  async verifyRoles(): Promise<void> {
    for (const [expected, pool] of [
      [holderRole, this.#primary.holders],
      [adminRole, this.#primary.admins],
    ] as const) {
      const [role] = await this.#describeRole(pool);
      if (role?.name !== expected || role.isSuperuser || role.bypassesPolicies || role.ownsTables) {
        throw new StartError(
          `The database role ${role?.name ?? ''} owns tables or bypasses row-level security, which keeps the data of ` +
            'holders apart: take these privileges away from it.',
        );
      }
      if (role.isInherited) throw new StartError(describeInherited(expected, role.login));
    }
  }

  async #describeRole(pool: ConnectionPool) {
    try {
      return await pool.run((client) => execute(client, describeRole, [], pool.session));
    } catch (error) {
      throw explainStartFailure(this.#url, error);
    }
  }

  /** Returns how many connections to the primary exist, how many of them are idle, and how many calls wait for one. */
  poolUsage(): { total: number; idle: number; waiting: number } {
    const usage = { total: 0, idle: 0, waiting: 0 };
    for (const pool of this.#primary.all) {
      const { total, idle, waiting } = pool.usage;
      usage.total += total;
      usage.idle += idle;
      usage.waiting += waiting;
    }
    return usage;
  }

  /** Whether requests of holders have to wait: all connections are in use, or all transactions that a caller may have at a time. */
  get hasWaitingRequests(): boolean {
    const { total, idle } = this.#primary.holders.usage;
    return (idle === 0 && total >= this.poolSize) || this.#groups.hasWaitingRequests;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([this.#primary.close(), this.#replicas?.close()]);
  }
}

/** Waits for the first batch, and returns a stream that yields it again. */
async function startStream(stream: AsyncGenerator<Buffer>): Promise<AsyncGenerator<Buffer>> {
  const first = await stream.next();
  return (async function* () {
    try {
      if (!first.done) yield first.value;
      yield* stream;
    } finally {
      await stream.return(undefined);
    }
  })();
}

const useLeastMemory = statement<never>(
  'database.use-least-memory',
  `SELECT WHERE set_config('work_mem', '64kB', true) IS NULL`,
);
// The message needs no table. Its commit is written to disk, and to synchronous standbys, like that of any change. PostgreSQL reuses
// the files of its log, so the log can be written on a full disk. The numbers do not fit into the memory, so they need a new file.
const proveWritable = statement<{ position: string | null }>(
  'database.prove-writable',
  `SELECT CASE current_setting('transaction_read_only')
     WHEN 'off' THEN pg_logical_emit_message(true, 'keyfront', 'ready')::text
   END AS position, (SELECT count(*) FROM generate_series(1, 10000) AS number)`,
);

const describeRole = statement<{
  name: string;
  isSuperuser: boolean;
  bypassesPolicies: boolean;
  ownsTables: boolean;
  login: string;
  isInherited: boolean;
}>(
  'role.describe',
  `SELECT rolname AS name, rolsuper AS "isSuperuser", rolbypassrls AS "bypassesPolicies",
     EXISTS (SELECT FROM pg_class WHERE relowner = pg_roles.oid) AS "ownsTables",
     session_user AS login, ${inheritsCurrentRole} AS "isInherited"
   FROM pg_roles WHERE rolname = current_user`,
);

import pg from 'pg';
import { type LeadingStatement, useUnnamedStatements } from '../statements/pipelined-query.ts';
import { readRows } from '../statements/row-messages.ts';
import { statement } from '../statements/statement.ts';
import { addSessionSettings, describeServer } from './connection-url.ts';
import type { ServerList } from './server-list.ts';
import { ServerState } from './server-state.ts';
import { connectionSettings, destroySession } from './session.ts';
import type { SilenceWatch } from './silence-watch.ts';
import { DatabaseUnavailable, isFailover, isUnavailable } from './unavailable.ts';

/** Prepares a new connection of a role. */
export type PrepareConnection = (client: pg.ClientBase, role: string) => Promise<void>;

export interface ConnectionPoolOptions {
  readonly servers: ServerList;
  readonly watch: SilenceWatch;
  readonly role: string;
  readonly size: number;
  /** Whether the connections lead to a connection pooler in transaction mode. */
  readonly isBehindPooler: boolean;
  /** Prepares statements on a new connection, and makes sure of its role. Not called behind a pooler. */
  readonly prepare: PrepareConnection;
  /** A connection is replaced after this time, so that a new address or a rebalanced cluster takes effect. */
  readonly maxAgeMs: number;
  /** How long a transaction may wait for its next statement. */
  readonly idleInTransactionMs?: number;
  /** Called when an idle connection is lost. The pool replaces it. */
  readonly onIdleError: (error: Error) => void;
}

/** How long a call waits for a connection, or to connect to all servers. */
const connectTimeoutMs = 4_000;
const minConnectTimeoutMs = 1_000;
const statementTimeoutMs = 30_000;

/** The error of pg's pool when all connections stay busy. */
const poolExhausted = 'timeout exceeded when trying to connect';

const sessionSettings = {
  search_path: 'keyfront',
  timezone: 'UTC',
  statement_timeout: statementTimeoutMs,
  // Parallel workers would give one search of a large store all cores, and other requests none.
  max_parallel_workers_per_gather: 0,
} as const;

function sessionSettingsOf({ idleInTransactionMs = statementTimeoutMs }: ConnectionPoolOptions) {
  return { ...sessionSettings, idle_in_transaction_session_timeout: idleInTransactionMs };
}

// `set_config` is too late: PostgreSQL takes the snapshot of the transaction for the query that calls it. SET LOCAL warns without a BEGIN.
// The level ends with the transaction in either case.
const setIsolation: LeadingStatement = {
  statement: statement<never>('transaction.set-isolation', `SET transaction_isolation = 'read committed'`),
  values: [],
};

/**
 * Makes the statements that put one transaction into a role, with session settings. They are for connections through a pooler
 * in transaction mode: the settings of a session would reach other clients, or none.
 */
function setSession(role: string, settings: Record<string, string | number>): LeadingStatement[] {
  const all = Object.entries({ ...settings, role });
  const conditions = all.map(
    ([name, value]) =>
      `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(String(value))}, true) IS NULL`,
  );
  const text = `SELECT WHERE ${conditions.join(' OR ')}`;
  return [setIsolation, { statement: statement<never>(`session.set ${role}`, text), values: [] }];
}

/** Connections of one role. They are opened to a server in the wanted state, and replaced when it no longer is in that state. */
export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #servers: ServerList;
  /** What every transaction begins with on a connection without session settings; nothing where there are some. */
  readonly session: readonly LeadingStatement[];

  constructor(options: ConnectionPoolOptions) {
    this.#servers = options.servers;
    this.session = options.isBehindPooler ? setSession(options.role, sessionSettingsOf(options)) : [];
    this.#pool = openPool(options);
    // An 'error' event without a listener ends the process.
    this.#pool.on('error', options.onIdleError);
  }

  /** Runs the work on a connection, and closes the connection if it cannot be used any more. */
  async run<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.connect();
    let failure: unknown = null;
    try {
      return await work(client);
    } catch (error) {
      failure = error;
      throw toUnavailable(error);
    } finally {
      this.release(client, failure);
    }
  }

  /** Takes a connection, which the caller must release. */
  async connect(): Promise<pg.PoolClient> {
    for (let failures = 0; ; ) {
      const server = this.#servers.current;
      try {
        const client = await this.#pool.connect();
        if (this.#isUsable(client)) return client;
        destroySession(client);
        client.release(true);
      } catch (error) {
        const isServerFailure = !(error instanceof Error && error.message === poolExhausted);
        if (isServerFailure) this.#servers.moveOnFrom(server);
        failures++;
        if (!isServerFailure || failures >= this.#servers.count) {
          throw new DatabaseUnavailable('No connection to the database', { cause: error });
        }
      }
    }
  }

  /** Returns a connection to the pool, or closes it if the work on it failed because the database is unavailable. */
  release(client: pg.PoolClient, failure: unknown): void {
    if (isFailover(failure)) this.#servers.retireConnections();
    client.release(isUnavailable(failure));
  }

  get usage(): { total: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  #isUsable(client: pg.PoolClient): boolean {
    const { generation, state } = client as unknown as ServerClient;
    return generation === this.#servers.generation && !state.isOtherThan(this.#servers.target);
  }
}

/** Returns host and port of the server that a connection of a pool leads to. */
export function serverOf(client: pg.PoolClient): string {
  return describeServer((client as unknown as ServerClient).url);
}

/** Returns whether a call failed only because all connections of a pool stayed busy. */
export function isPoolExhausted({ cause }: DatabaseUnavailable): boolean {
  return cause instanceof Error && cause.message === poolExhausted;
}

/** Converts an error of a statement that means that the database is unavailable. */
export function toUnavailable(error: unknown): unknown {
  return isUnavailable(error)
    ? new DatabaseUnavailable('The database did not respond', { cause: error })
    : error;
}

/** A connection that knows its server. */
interface ServerClient extends pg.Client {
  readonly url: string;
  readonly generation: number;
  readonly state: ServerState;
}

function openPool(options: ConnectionPoolOptions): pg.Pool {
  const { servers, watch, role, size, isBehindPooler, prepare, maxAgeMs } = options;
  const settings = { role, ...sessionSettingsOf(options), ...connectionSettings };
  const pool = new pg.Pool({
    Client: createClientClass(servers, (url) => (isBehindPooler ? url : addSessionSettings(url, settings))),
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    // PostgreSQL cancels the statement first, and the watch finds a server that does not respond. This is the last resort.
    query_timeout: statementTimeoutMs + 5_000,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: maxAgeMs / 1_000,
    keepAlive: true,
    application_name: 'keyfront',
    pipeline: true,
    onConnect: async (base: pg.ClientBase) => {
      const client = base as ServerClient;
      readRows(client);
      watch.add(client);
      await client.state.verify(servers.target);
      if (isBehindPooler) useUnnamedStatements(client);
      else await prepare(client, role);
    },
  });
  // An 'error' event without a listener ends the process. The next statement on the connection rejects as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Creates the class of the clients of a pool. pg knows only one server, so each client is made for the current one. */
function createClientClass(servers: ServerList, completeUrl: (url: string) => string): new () => pg.Client {
  const timeoutMs = Math.max(minConnectTimeoutMs, connectTimeoutMs / servers.count);
  return class extends pg.Client implements ServerClient {
    readonly url: string;
    readonly generation: number;
    readonly state: ServerState;

    constructor(options: pg.ClientConfig = {}) {
      const url = servers.current;
      super({ ...options, connectionString: completeUrl(url), connectionTimeoutMillis: timeoutMs });
      this.url = url;
      this.generation = servers.generation;
      this.state = new ServerState(this);
    }
  };
}

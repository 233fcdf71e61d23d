import {
  ConnectionPool,
  type PrepareConnection,
  ServerList,
  type SilenceTiming,
  SilenceWatch,
  type TargetSession,
} from '@keyfront/postgres';
import { adminRole, holderRole } from './role-names.ts';

export interface ServerPoolsOptions {
  /** May name several servers. */
  readonly url: string;
  /** The same database without the connection pooler that `url` leads to. Null if `url` leads to PostgreSQL itself. */
  readonly directUrl: string | null;
  /** The state that the server must be in, if the URL does not say it. */
  readonly target?: TargetSession;
  readonly poolSize: number;
  readonly prepare: PrepareConnection;
  readonly silenceTiming: SilenceTiming;
  readonly maxConnectionAgeMs: number;
  readonly onIdleError: (error: Error) => void;
  readonly onSilence: () => void;
}

/** How many streams may run at a time for each role. */
export const streamPoolSize = 2;
/** A stream that takes longer fails, so that a slow reader cannot hold a connection and a snapshot forever. */
export const streamTimeoutMs = 15 * 60_000;
const adminPoolSizeFor = (poolSize: number): number => Math.ceil(poolSize / 2);

/** Returns how many connections the pools of this size open at most. */
export function countConnections(poolSize: number): number {
  return poolSize + adminPoolSizeFor(poolSize) + 2 * streamPoolSize;
}

/** The connections to one database: for holders, for administrators and jobs, and for the streams of both. */
export class ServerPools {
  readonly holders: ConnectionPool;
  readonly admins: ConnectionPool;
  readonly #holderStreams: ConnectionPool;
  readonly #adminStreams: ConnectionPool;
  /** Opens a further pool of one connection for jobs. The caller closes it. */
  readonly openSinglePool: () => ConnectionPool;

  constructor(options: ServerPoolsOptions) {
    const { url, directUrl, poolSize } = options;
    const openPool = createOpener(url, directUrl !== null, options);
    const openDirectPool = directUrl === null ? openPool : createOpener(directUrl, false, options);
    this.holders = openPool(holderRole, poolSize);
    this.admins = openPool(adminRole, adminPoolSizeFor(poolSize));
    // The transaction of a stream waits for its client, and ends when the client stops reading.
    this.#holderStreams = openDirectPool(holderRole, streamPoolSize, streamTimeoutMs);
    this.#adminStreams = openDirectPool(adminRole, streamPoolSize, streamTimeoutMs);
    this.openSinglePool = () => openPool(adminRole, 1);
  }

  poolOf(isLimited: boolean): ConnectionPool {
    return isLimited ? this.holders : this.admins;
  }

  streamPoolOf(isLimited: boolean): ConnectionPool {
    return isLimited ? this.#holderStreams : this.#adminStreams;
  }

  get all(): ConnectionPool[] {
    return [this.holders, this.admins, this.#holderStreams, this.#adminStreams];
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((pool) => pool.close()));
  }
}

function createOpener(url: string, isBehindPooler: boolean, options: ServerPoolsOptions) {
  const { prepare, silenceTiming: timing, maxConnectionAgeMs: maxAgeMs, onIdleError, target } = options;
  const servers = new ServerList(url, target);
  const watch = new SilenceWatch({
    timing,
    knowsServerProcesses: !isBehindPooler,
    onSilence: () => {
      servers.retireConnections();
      options.onSilence();
    },
  });
  return (role: string, size: number, idleInTransactionMs?: number) =>
    new ConnectionPool({
      ...{ servers, watch, role, size, isBehindPooler, prepare, maxAgeMs, onIdleError },
      ...(idleInTransactionMs === undefined ? {} : { idleInTransactionMs }),
    });
}

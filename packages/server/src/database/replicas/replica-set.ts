import { type ConnectionPool, describeServer, parseServers } from '@keyfront/postgres';
import { ServerPools, type ServerPoolsOptions } from '../connection/server-pools.ts';
import { prepareLeadingStatements } from '../transactions/leading-statements.ts';
import { PrimaryPositionReader } from './primary-position.ts';
import { Replica, type ReplicaState } from './replica.ts';
import { anyPosition } from './replica-position.ts';
import { ReplicaRead } from './replica-read.ts';

const checkIntervalMs = 1_000;

/** The replicas of the primary. Checks each of them once a second, and chooses one for each read. */
export class ReplicaSet {
  readonly replicas: readonly Replica[];
  readonly #positions: PrimaryPositionReader;
  readonly #timer: NodeJS.Timeout;
  readonly #checking = new Set<Replica>();
  #beating: Promise<void> | null = null;
  #isClosed = false;
  #last = 0;
  /** Reads that may use a replica, and went to the primary. */
  readsOfPrimary = 0;

  constructor(replicas: readonly Replica[], positions: PrimaryPositionReader) {
    this.replicas = replicas;
    this.#positions = positions;
    this.#timer = setInterval(() => this.#check(), checkIntervalMs).unref();
    this.#check();
  }

  /** Begins a request whose queries may go to a replica. */
  begin(): ReplicaRead {
    return new ReplicaRead(this, this.#positions);
  }

  /** Chooses replicas in turn. Returns null if none can be used. */
  choose(): Replica | null {
    const { length } = this.replicas;
    for (let step = 1; step <= length; step++) {
      const index = (this.#last + step) % length;
      const replica = this.replicas[index];
      if (replica?.state !== 'used') continue;
      this.#last = index;
      return replica;
    }
    return null;
  }

  #check(): void {
    this.#beating ??= this.#positions.beat().finally(() => {
      this.#beating = null;
    });
    const beaten = this.#beating;
    // Nobody waits for it while all checks are on their way.
    beaten.catch(() => undefined);
    for (const replica of this.replicas) {
      // A server that does not respond takes longer than the interval.
      if (this.#checking.has(replica)) continue;
      this.#checking.add(replica);
      void beaten
        .then(() => this.#positions.read())
        .then((position) => (this.#isClosed ? undefined : replica.check(position)))
        // While the primary is unavailable, nothing is known, and no read goes anywhere else.
        .catch(() => undefined)
        .finally(() => this.#checking.delete(replica));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([this.#positions.close(), ...this.replicas.map(({ pools }) => pools.close())]);
  }
}

/** Replication within a data centre takes a few milliseconds. */
const defaultCatchUpTimeoutMs = 50;

export interface ReplicaSetOptions {
  /** Each host is a replica. The URLs lead to PostgreSQL itself. */
  readonly urls: readonly string[];
  /** A connection to the primary that serves nothing else. */
  readonly primary: ConnectionPool;
  readonly pools: Omit<ServerPoolsOptions, 'url' | 'directUrl' | 'target' | 'prepare'>;
  readonly catchUpTimeoutMs?: number | undefined;
  readonly onChange?: ((name: string, state: ReplicaState, cause: unknown) => void) | undefined;
}

/** Opens the replicas of a database. Unreachable replicas join later. */
export function openReplicas({ urls, primary, pools, ...options }: ReplicaSetOptions): ReplicaSet {
  const { catchUpTimeoutMs = defaultCatchUpTimeoutMs, onChange } = options;
  const servers = urls.flatMap((url) => parseServers(url).urls);
  const replicas = servers.map((url) => {
    const name = describeServer(url);
    return new Replica({
      name,
      pools: new ServerPools({
        ...pools,
        ...{ url, directUrl: null, target: 'standby' },
        prepare: (client, role) => prepareLeadingStatements(client, role, anyPosition),
      }),
      catchUpTimeoutMs,
      onChange: (state, cause) => onChange?.(name, state, cause),
    });
  });
  return new ReplicaSet(replicas, new PrimaryPositionReader(primary));
}

import type { ConnectionPool } from '../connection/connection-pool.ts';
import { describeServer, parseServers } from '../connection/connection-url.ts';
import { ServerPools, type ServerPoolsOptions } from '../connection/server-pools.ts';
import { prepareLeadingStatements } from '../transactions/leading-statements.ts';
import { PrimaryPositionReader } from './primary-position.ts';
import { Replica, type ReplicaState } from './replica.ts';
import { anyPosition } from './replica-position.ts';
import { ReplicaSet } from './replica-set.ts';

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

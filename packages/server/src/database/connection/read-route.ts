import type { LeadingStatement } from '@keyfront/postgres';
import type { ServerPools } from './server-pools.ts';

/** What a query needs to run on a replica. */
export interface ReplicaAccess {
  readonly pools: ServerPools;
  /** Repeats a query while the replica is behind. */
  readonly untilReplayed: <Result>(query: () => Promise<Result>) => Promise<Result>;
  /** Fails if the replica lacks anything that was acknowledged before the request arrived. */
  readonly requirePosition: LeadingStatement;
}

/** Where the queries of one request go: to a replica, or to the primary if the replica cannot serve them. */
export interface ReadRoute {
  /** Runs a query on the replica, or on the primary if the replica cannot serve it. */
  run<Result>(
    onReplica: (access: ReplicaAccess) => Promise<Result>,
    onPrimary: () => Promise<Result>,
  ): Promise<Result>;
  /** Returns how to reach the replica, or null if this request reads from the primary. */
  access(): Promise<ReplicaAccess | null>;
  /** Turns to the primary after a failed query. Throws the error if the replica is not its cause. */
  leave(error: unknown): void;
}

import { errorCode } from '../../error-code.ts';
import { isPoolExhausted } from '../connection-pool.ts';
import type { LeadingStatement } from '../pipelined-query.ts';
import type { ServerPools } from '../server-pools.ts';
import { isRetryableConflict } from '../transaction.ts';
import { DatabaseUnavailable } from '../unavailable.ts';
import type { PrimaryPosition, PrimaryPositionReader } from './primary-position.ts';
import type { Replica } from './replica.ts';
import { isBehind, requirePosition } from './replica-position.ts';
import type { ReplicaSet } from './replica-set.ts';

const queryCanceled = '57014';

/** What a query needs to run on a replica. */
export interface ReplicaAccess {
  readonly pools: ServerPools;
  /** Repeats a query while the replica is behind. */
  readonly untilReplayed: Replica['untilReplayed'];
  /** Fails if the replica lacks anything that was acknowledged before the request arrived. */
  readonly requirePosition: LeadingStatement;
}

/**
 * A request whose queries may go to a replica. Whatever was acknowledged before the request arrived is visible to it,
 * whoever wrote it and through whichever instance.
 */
export class ReplicaRead {
  readonly #set: ReplicaSet;
  readonly #positions: PrimaryPositionReader;
  #replica: Replica | null;
  #position: Promise<PrimaryPosition> | null = null;

  constructor(set: ReplicaSet, positions: PrimaryPositionReader) {
    this.#set = set;
    this.#positions = positions;
    // All queries of a request go to the same replica.
    this.#replica = set.choose();
  }

  /** Runs a query on the replica, or on the primary if the replica cannot serve it. */
  async run<Result>(
    onReplica: (access: ReplicaAccess) => Promise<Result>,
    onPrimary: () => Promise<Result>,
  ): Promise<Result> {
    const access = await this.access();
    if (!access) return onPrimary();
    try {
      return await access.untilReplayed(() => onReplica(access));
    } catch (error) {
      this.leave(error);
      return onPrimary();
    }
  }

  /** Returns how to reach the replica, or null if this request reads from the primary. */
  async access(): Promise<ReplicaAccess | null> {
    if (this.#replica) {
      this.#position ??= this.#positions.read();
      const position = await this.#position;
      const replica = this.#replica;
      if (replica) {
        replica.reads++;
        return {
          pools: replica.pools,
          untilReplayed: (query) => replica.untilReplayed(query),
          requirePosition: requirePosition(position),
        };
      }
    }
    this.#set.readsOfPrimary++;
    return null;
  }

  /** Turns to the primary after a failed query. Throws the error if the replica is not its cause. */
  leave(error: unknown): void {
    const replica = this.#replica;
    if (isBehind(error)) replica?.setState('lagging');
    else if (isReplicaFailure(error)) replica?.setState('unreachable', error);
    // The replica cancels a query that needs rows whose removal it has to replay.
    else if (!isRetryableConflict(error)) throw error;
    this.#replica = null;
  }
}

/** A statement that takes too long would take as long on the primary, and a busy pool says nothing about the server. */
function isReplicaFailure(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable &&
    errorCode(error.cause) !== queryCanceled &&
    !isPoolExhausted(error)
  );
}

import { DatabaseUnavailable, isPoolExhausted } from '@keyfront/postgres';
import { errorCode } from '../../lib/errors/error-code.ts';
import type { ReadRoute, ReplicaAccess } from '../connection/read-route.ts';
import { isRetryableConflict } from '../transactions/transaction.ts';
import type { PrimaryPosition, PrimaryPositionReader } from './primary-position.ts';
import type { Replica } from './replica.ts';
import { isBehind, requirePosition } from './replica-position.ts';

const queryCanceled = '57014';

/** Chooses the replica of a request, and counts the reads that went to the primary. */
interface ReplicaChoice {
  choose(): Replica | null;
  readsOfPrimary: number;
}

/**
 * A request whose queries may go to a replica. Whatever was acknowledged before the request arrived is visible to it,
 * whoever wrote it and through whichever instance.
 */
export class ReplicaRead implements ReadRoute {
  readonly #choice: ReplicaChoice;
  readonly #positions: PrimaryPositionReader;
  #replica: Replica | null;
  #position: Promise<PrimaryPosition> | null = null;

  constructor(choice: ReplicaChoice, positions: PrimaryPositionReader) {
    this.#choice = choice;
    this.#positions = positions;
    // All queries of a request go to the same replica.
    this.#replica = choice.choose();
  }

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
    this.#choice.readsOfPrimary++;
    return null;
  }

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

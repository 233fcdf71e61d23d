import { setTimeout as delay } from 'node:timers/promises';
import { execute } from '@keyfront/postgres';
import type { ServerPools } from '../connection/server-pools.ts';
import { type PrimaryPosition, parseLsn } from './primary-position.ts';
import { expectPosition, isBehind, readReplayed } from './replica-position.ts';

/**
 * `used`: reads go there. `lagging`: it does not catch up in time. `unreachable`: also for a server that is no replica. `primary`: it is
 * the primary at the moment, and listed both as primary and as replica.
 */
export type ReplicaState = 'used' | 'lagging' | 'unreachable' | 'primary';

const maxPauseMs = 8;
/** Samples of the position of the primary, to tell how old the data of the replica is. One a second. */
const maxSamples = 3_600;

interface Sample {
  readonly lsn: bigint;
  readonly readAt: number;
}

interface ReplicaOptions {
  /** Host and port. */
  readonly name: string;
  readonly pools: ServerPools;
  /** How long a read waits for the replica before it goes to the primary. */
  readonly catchUpTimeoutMs: number;
  readonly onChange: (state: ReplicaState, cause: unknown) => void;
}

/** One replica: its connections, and whether reads go there. */
export class Replica {
  readonly name: string;
  readonly pools: ServerPools;
  readonly #catchUpTimeoutMs: number;
  readonly #onChange: (state: ReplicaState, cause: unknown) => void;
  /** Null before the first check. */
  #state: ReplicaState | null = null;
  #samples: Sample[] = [];
  /** Null if it was never reached. */
  #replayed: bigint | null = null;
  reads = 0;

  constructor({ name, pools, catchUpTimeoutMs, onChange }: ReplicaOptions) {
    this.name = name;
    this.pools = pools;
    this.#catchUpTimeoutMs = catchUpTimeoutMs;
    this.#onChange = onChange;
  }

  get state(): ReplicaState {
    return this.#state ?? 'unreachable';
  }

  setState(state: ReplicaState, cause: unknown = null): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#onChange(state, cause);
  }

  /** Takes the replica in if it reaches a position of the primary in time, and leaves it out otherwise. */
  async check(position: PrimaryPosition): Promise<void> {
    if (position.server === this.name) {
      this.#samples = [];
      this.#replayed = null;
      this.setState('primary');
      return;
    }
    this.#samples.push({ lsn: parseLsn(position.lsn), readAt: performance.now() });
    if (this.#samples.length > maxSamples) this.#samples.shift();
    const { admins } = this.pools;
    try {
      await this.untilReplayed(() => admins.run((client) => expectPosition(client, position)));
      this.setState('used');
    } catch (error) {
      if (isBehind(error)) this.setState('lagging');
      else this.setState('unreachable', error);
    }
    if (this.#state === 'unreachable') return;
    const [row] = await admins
      .run((client) => execute(client, readReplayed, []))
      .catch(() => [{ lsn: null }]);
    if (row?.lsn) this.#replayed = parseLsn(row.lsn);
    const replayed = this.#replayed ?? 0n;
    while (this.#samples[0] && this.#samples[0].lsn <= replayed) this.#samples.shift();
  }

  /** Repeats a query while the replica is behind, for a short time. */
  async untilReplayed<Result>(query: () => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + this.#catchUpTimeoutMs;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      try {
        return await query();
      } catch (error) {
        if (!isBehind(error) || performance.now() + pauseMs > deadline) throw error;
      }
      await delay(pauseMs);
    }
  }

  /** Returns how long ago the primary was at the first position that the replica is known not to have. Null if it was never reached. */
  get lagMs(): number | null {
    if (this.#replayed === null) return null;
    const [oldest] = this.#samples;
    return oldest ? performance.now() - oldest.readAt : 0;
  }
}

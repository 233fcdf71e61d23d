import { setTimeout as delay } from 'node:timers/promises';
import { execute } from '../pipelined-query.ts';
import type { ServerPools } from '../server-pools.ts';
import { type PrimaryPosition, parseLsn } from './primary-position.ts';
import { isBehind, readReplayed, requirePosition } from './replica-position.ts';

/** `used`: reads go there. `lagging`: it does not catch up in time. `unreachable`: also for a server that is no replica. */
export type ReplicaState = 'used' | 'lagging' | 'unreachable';

const longestPauseMs = 8;
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
  // The first check takes it in.
  #state: ReplicaState = 'unreachable';
  #samples: Sample[] = [];
  #replayed = 0n;
  reads = 0;

  constructor({ name, pools, catchUpTimeoutMs, onChange }: ReplicaOptions) {
    this.name = name;
    this.pools = pools;
    this.#catchUpTimeoutMs = catchUpTimeoutMs;
    this.#onChange = onChange;
  }

  get state(): ReplicaState {
    return this.#state;
  }

  setState(state: ReplicaState, cause: unknown = null): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#onChange(state, cause);
  }

  /** Takes the replica in if it reaches a position of the primary in time, and leaves it out otherwise. */
  async check(position: PrimaryPosition): Promise<void> {
    this.#samples.push({ lsn: parseLsn(position.lsn), readAt: performance.now() });
    if (this.#samples.length > maxSamples) this.#samples.shift();
    const { platform } = this.pools;
    const leading = [requirePosition(position)];
    try {
      await this.untilReplayed(() => platform.run((client) => execute(client, readReplayed, [], leading)));
      this.setState('used');
    } catch (error) {
      this.setState(isBehind(error) ? 'lagging' : 'unreachable', error);
    }
    if (this.#state === 'unreachable') return;
    const [row] = await platform
      .run((client) => execute(client, readReplayed, []))
      .catch(() => [{ lsn: null }]);
    if (row?.lsn) this.#replayed = parseLsn(row.lsn);
    while (this.#samples[0] && this.#samples[0].lsn <= this.#replayed) this.#samples.shift();
  }

  /** Repeats a query while the replica is behind, for a short time. */
  async untilReplayed<Result>(query: () => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + this.#catchUpTimeoutMs;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await query();
      } catch (error) {
        if (!isBehind(error) || performance.now() + pauseMs > deadline) throw error;
      }
      await delay(pauseMs);
    }
  }

  /** Returns how long ago the primary was at the first position that the replica is known not to have. */
  get lagMs(): number {
    const [oldest] = this.#samples;
    return oldest ? performance.now() - oldest.readAt : 0;
  }
}

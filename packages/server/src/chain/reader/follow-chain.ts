import { setTimeout as delay } from 'node:timers/promises';
import { RangeTooLarge } from '@keyfront/evm';
import { type Leadership, tryToBecomeLeader } from '../../database/coordination/leadership.ts';
import type { PeriodicJob } from '../../lib/run-periodically.ts';
import type { ChainReader } from './chain-reader.ts';

export interface FollowChainDependencies {
  readonly databaseUrl: string;
  /** Creates the reader once this process is the leader. Its requests to the node end when the signal is aborted. */
  readonly makeReader: (signal: AbortSignal) => Promise<ChainReader>;
  /** Called when the node or the database has failed. The next attempt follows after `pauseMs`. */
  readonly onFault: (error: unknown, pauseMs: number) => void;
  /** Called when the reader has raised an alarm and stopped: an operator has to act. */
  readonly onStopped: () => void;
  readonly pollMs?: number;
}

const defaultPollMs = 1_000;
const minPauseMs = 500;
const maxPauseMs = 60_000;
/** How often a process that is not the leader tries to become it. */
const leaderElectionIntervalMs = 5_000;

/** Follows the chain in one process of all; the others stand by to take over. */
export function followChain(dependencies: FollowChainDependencies): PeriodicJob {
  const stopping = new AbortController();
  const running = run(dependencies, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function run(dependencies: FollowChainDependencies, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    let leadership: Leadership | null = null;
    try {
      leadership = await tryToBecomeLeader(dependencies.databaseUrl, 'chain reader');
      if (leadership) await lead(dependencies, AbortSignal.any([stopping, leadership.signal]));
    } catch (error) {
      dependencies.onFault(error, leaderElectionIntervalMs);
    }
    await leadership?.resign();
    await pause(leaderElectionIntervalMs, stopping);
  }
}

async function lead(dependencies: FollowChainDependencies, signal: AbortSignal): Promise<void> {
  const { makeReader, onFault, onStopped, pollMs = defaultPollMs } = dependencies;
  const reader = await makeReader(signal);
  let pauseMs = minPauseMs;
  while (!signal.aborted) {
    try {
      const outcome = await reader.step();
      pauseMs = minPauseMs;
      if (outcome === 'stopped') {
        onStopped();
        // An operator may clear the alarm, so the reader checks for that from time to time.
        await pause(maxPauseMs, signal);
      } else if (outcome === 'waiting') {
        await pause(pollMs, signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      // The reader asks for a smaller range next, without a pause.
      if (error instanceof RangeTooLarge) continue;
      onFault(error, pauseMs);
      await pause(pauseMs * (0.5 + Math.random() / 2), signal);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
  }
}

/** Resolves early when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

import { setTimeout as delay } from 'node:timers/promises';
import type { ChainReader } from '../chain/chain-reader.ts';
import { TooMuchAsked } from '../chain/rpc-fault.ts';
import { type Leadership, tryToBecomeLeader } from '../database/leadership.ts';
import type { PeriodicJob } from './run-periodically.ts';

export interface FollowChainParts {
  readonly databaseUrl: string;
  /** Makes the reader of the process that leads; what it asks the node ends with the signal. */
  readonly makeReader: (signal: AbortSignal) => Promise<ChainReader>;
  /** The node gave nothing of use, or the database did not answer. It is tried again after so many milliseconds. */
  readonly onFault: (error: unknown, pauseMs: number) => void;
  /** The reader has stopped, and a person has to look. */
  readonly onStopped: () => void;
  readonly pollMs?: number;
}

const defaultPollMs = 1_000;
const shortestPauseMs = 500;
const longestPauseMs = 60_000;
/** How often a process that does not lead tries to. */
const tryToLeadEveryMs = 5_000;

/** Follows the chain in one of all processes; the others stand by. */
export function followChain(parts: FollowChainParts): PeriodicJob {
  const ending = new AbortController();
  const running = run(parts, ending.signal);
  return {
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

async function run(parts: FollowChainParts, ending: AbortSignal): Promise<void> {
  while (!ending.aborted) {
    let leadership: Leadership | null = null;
    try {
      leadership = await tryToBecomeLeader(parts.databaseUrl, 'chain reader');
      if (leadership) await lead(parts, AbortSignal.any([ending, leadership.signal]));
    } catch (error) {
      parts.onFault(error, tryToLeadEveryMs);
    }
    await leadership?.resign();
    await pause(tryToLeadEveryMs, ending);
  }
}

async function lead(parts: FollowChainParts, signal: AbortSignal): Promise<void> {
  const { makeReader, onFault, onStopped, pollMs = defaultPollMs } = parts;
  const reader = await makeReader(signal);
  let pauseMs = shortestPauseMs;
  while (!signal.aborted) {
    try {
      const outcome = await reader.step();
      pauseMs = shortestPauseMs;
      if (outcome === 'stopped') {
        onStopped();
        // Somebody may lift the alarm; until then it is looked at now and then.
        await pause(longestPauseMs, signal);
      } else if (outcome === 'waiting') {
        await pause(pollMs, signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      // Less will be asked for, at once.
      if (error instanceof TooMuchAsked) continue;
      onFault(error, pauseMs);
      await pause(pauseMs * (0.5 + Math.random() / 2), signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }
}

/** Ends early, and quietly, when the signal says so. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

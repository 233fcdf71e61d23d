import { setTimeout as sleep } from 'node:timers/promises';

/** Generous, because other work may keep the machine busy. */
const timeoutMs = 60_000;
const longestPauseMs = 50;

/**
 * Reads until the value is as wanted, and returns that value. Throws with the last value when that takes too long.
 * The pauses leave the processor to the process that is to bring the value about.
 */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  isReached: (value: Value) => boolean,
): Promise<Value> {
  const giveUpAt = Date.now() + timeoutMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const value = await read();
    if (isReached(value)) return value;
    if (Date.now() > giveUpAt) throw new Error(`Not reached: ${JSON.stringify(value)}`);
    await sleep(pauseMs);
  }
}

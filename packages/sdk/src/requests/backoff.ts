export interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * The pause after an attempt: a random time up to a limit that doubles with each attempt. The randomness keeps clients from
 * coming back at the same moment.
 */
export function backoffMs({ baseMs, capMs }: Backoff, attempts: number, random: number): number {
  return random * Math.min(capMs, baseMs * 2 ** (attempts - 1));
}

export interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * How long to wait after this many attempts: any time up to a limit that doubles with each, so that not everybody comes
 * back at once.
 */
export function backoffMs({ baseMs, capMs }: Backoff, attempts: number, random: number): number {
  return random * Math.min(capMs, baseMs * 2 ** (attempts - 1));
}

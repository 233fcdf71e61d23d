/** Reads `Retry-After`, which is a number of seconds or a date, as milliseconds; null if it is missing or invalid. */
export function readRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Date.parse guesses at anything that is not an HTTP date.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

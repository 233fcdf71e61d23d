/** How long `Retry-After` asks to wait, given as seconds or as a date; null where it says nothing of use. */
export function readRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // What Date reads beyond the form of HTTP is a guess.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** `12.5`, `12,50` and `12` as cents. Null for anything else. */
export function readCents(text: string): number | null {
  const match = /^(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
}

/** An amount of the service in cents. Sums of binary fractions drift, sums of cents do not. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

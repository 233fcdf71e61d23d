/**
 * Amounts of money. On the wire an amount is a JSON number with at most two decimals, in PostgreSQL it is a numeric. Between
 * the two the service computes in whole cents, and converts by decimal text only, so no amount is rounded.
 */

/** Converts an amount to cents: decimal text with at most two decimals, or a number by its shortest decimal text. */
export function toCents(amount: number | string): bigint {
  const [whole = '', decimals = ''] = String(amount).split('.');
  if (decimals.length > 2) throw new RangeError('An amount has more than two decimals');
  return BigInt(whole + decimals.padEnd(2, '0'));
}

/** Formats cents as decimal text with two decimals, such as "120.00", for PostgreSQL. */
export function formatCents(cents: bigint | number): string {
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Converts cents to the number of a response. */
export function toAmount(cents: bigint): number {
  return Number(formatCents(cents));
}

/** Parses an amount with two decimal places, such as "120.00", into cents. */
export function readCents(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** Formats cents as an amount with two decimal places. */
export function formatCents(cents: bigint | number): string {
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Cents of an amount with two digits, such as "120.00". */
export function readCents(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** The amount with two digits of so many cents. */
export function formatCents(cents: bigint | number): string {
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

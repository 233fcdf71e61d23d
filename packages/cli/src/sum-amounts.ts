/** Adds amounts with at most two decimals in whole cents. Returns the sum with two decimals, exact at any size. */
export function sumAmounts(amounts: readonly number[]): string {
  const cents = amounts.reduce((sum, amount) => sum + BigInt(amount.toFixed(2).replace('.', '')), 0n);
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

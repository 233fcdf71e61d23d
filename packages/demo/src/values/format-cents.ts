/** Formats cents as decimal text with two decimals, such as "120.00", for PostgreSQL. */
export function formatCents(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

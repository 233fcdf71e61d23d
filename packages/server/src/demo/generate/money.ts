/** `1250` as `12.50`. Sums are made in whole cents, since a float loses some. */
export function formatCents(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Divides units into so many whole parts that differ by the remainder only, which the first part gets. */
export function divideEvenly(units: number, parts: number): number[] {
  const share = Math.trunc(units / parts);
  return Array.from({ length: parts }, (_, index) => (index === 0 ? units - share * (parts - 1) : share));
}

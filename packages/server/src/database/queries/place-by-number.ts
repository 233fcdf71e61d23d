/**
 * Converts rows that carry the number of the item that they belong to, starting at 1, to a list with one place for each item. A place
 * without a row is null.
 */
export function placeByNumber<Row extends { readonly number: number }, Item>(
  length: number,
  rows: readonly Row[],
  convert: (row: Row) => Item,
): (Item | null)[] {
  const places = Array.from<Item | null>({ length }).fill(null);
  for (const row of rows) places[row.number - 1] = convert(row);
  return places;
}

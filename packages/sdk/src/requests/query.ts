/** A query by its names; what is undefined or null is left out. A text is taken as it stands, encoded already. */
export type Query =
  | string
  | URLSearchParams
  | Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes a query as it stands in an address, without the `?`. */
export function encodeQuery(query: Query): string {
  if (typeof query === 'string') return query.replace(/^\?/, '');
  const pairs = query instanceof URLSearchParams ? [...query] : Object.entries(query);
  return pairs
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}

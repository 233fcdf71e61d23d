/** A query by parameter names; undefined and null are left out. A string is taken as already encoded. */
export type Query =
  | string
  | URLSearchParams
  | Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Encodes a query for a URL, without the `?`. */
export function encodeQuery(query: Query): string {
  if (typeof query === 'string') return query.replace(/^\?/, '');
  const pairs = query instanceof URLSearchParams ? [...query] : Object.entries(query);
  return pairs
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}

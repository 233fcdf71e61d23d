/** Ids are derived from numbers, in the same way here and by a function in the seeded database. */
const kinds = { planet: 1, strain: 2, holder: 3, client: 4, cart: 5, order: 6, location: 7 } as const;

export type Kind = keyof typeof kinds;

/** More than the seed creates of any kind for one digital key. */
const idsPerToken = 100_000_000;

/** Returns the number of the n-th row of a kind that belongs to a digital key. */
export const numberOf = (tokenId: number, n: number): number => tokenId * idsPerToken + n;

/** Returns the SQL expression of the same number. Both arguments are SQL expressions. */
export const sqlNumberOf = (tokenId: string, n: string): string =>
  `(${tokenId})::bigint * ${idsPerToken} + ${n}`;

/** Returns the id of the n-th row of a kind that belongs to a digital key, or to none (0). */
export function idOf(kind: Kind, tokenId: number, n: number): string {
  const hex = (value: number, length: number) => value.toString(16).padStart(length, '0');
  return `${hex(kinds[kind], 8)}-0000-7000-8000-${hex(numberOf(tokenId, n), 12)}`;
}

/** Returns the SQL expression of the same id. `tokenId` and `n` may be SQL expressions. */
export function sqlIdOf(kind: Kind, tokenId: number | string, n: number | string): string {
  return `keyfront.bench_id(${kinds[kind]}, ${tokenId}, ${n})`;
}

export const createIdFunction = `
  CREATE OR REPLACE FUNCTION keyfront.bench_id(kind int, token_id bigint, n bigint) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (lpad(to_hex(kind), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(${sqlNumberOf('token_id', 'n')}), 12, '0'))::uuid
  $$`;

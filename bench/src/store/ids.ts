/** What is seeded has numbers; its ids are made of them, here and by a function in the seeded database alike. */
const kinds = { planet: 1, strain: 2, holder: 3, client: 4, cart: 5, order: 6 } as const;

export type Kind = keyof typeof kinds;

/** More than there is of anything that belongs to one digital key. */
const roomForEach = 10_000_000;

/** The id of the n-th thing of its kind that belongs to a digital key, or to nobody (0). */
export function idOf(kind: Kind, tokenId: number, n: number): string {
  const hex = (value: number, length: number) => value.toString(16).padStart(length, '0');
  return `${hex(kinds[kind], 8)}-0000-7000-8000-${hex(tokenId * roomForEach + n, 12)}`;
}

/** The same in SQL, from expressions. */
export function sqlIdOf(kind: Kind, tokenId: number | string, n: number | string): string {
  return `keyfront.bench_id(${kinds[kind]}, ${tokenId}, ${n})`;
}

export const createIdFunction = `
  CREATE OR REPLACE FUNCTION keyfront.bench_id(kind int, token_id bigint, n bigint) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (lpad(to_hex(kind), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(token_id * ${roomForEach} + n), 12, '0'))::uuid
  $$`;

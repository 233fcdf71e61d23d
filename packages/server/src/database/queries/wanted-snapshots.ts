/**
 * The snapshots of `$1` with the ids and numbers of their resources, as an item of a FROM clause. The ids must be joined as they
 * are here. Under row-level security PostgreSQL uses no index for a comparison with an expression such as `(snapshot ->> 'id')::uuid`,
 * which may reveal rows by its errors, and would read the whole table. OFFSET keeps the expression inside.
 */
export const wantedSnapshots = `(
  SELECT snapshot, number, (snapshot ->> 'id')::uuid AS id
  FROM unnest($1::jsonb[]) WITH ORDINALITY AS listed (snapshot, number) OFFSET 0
) AS wanted`;

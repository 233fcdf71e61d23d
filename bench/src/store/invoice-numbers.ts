import { createHash } from 'node:crypto';

/** As long as those of the service, of the same characters and as random, because a search depends on it. */
const length = 10;
const characters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns the invoice number of the n-th order of a digital key. It is derived in the same way by a function in the seeded database. */
export function invoiceNumberOf(tokenId: number, n: number): string {
  const hash = createHash('sha256').update(`${tokenId}-${n}`).digest();
  const picked = [...hash.subarray(0, length)].map((byte) => characters.charAt(byte % characters.length));
  return `KF-${picked.join('')}`;
}

/** Returns the SQL expression of the same number. Both arguments are SQL expressions. */
export function sqlInvoiceNumberOf(tokenId: string, n: string): string {
  return `keyfront.bench_invoice_number(${tokenId}, ${n})`;
}

const sqlPicked = Array.from(
  { length },
  (_, at) => `substr('${characters}', 1 + get_byte(hash, ${at}) % ${characters.length}, 1)`,
);

export const createInvoiceNumberFunction = `
  CREATE OR REPLACE FUNCTION keyfront.bench_invoice_number(token_id bigint, n bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT 'KF-' || ${sqlPicked.join(' || ')}
    FROM (SELECT sha256((token_id || '-' || n)::bytea) AS hash OFFSET 0) AS hashes
  $$`;

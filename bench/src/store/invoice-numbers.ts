import { numberOf, sqlNumberOf } from './ids.ts';

// Invoice numbers have the form of those of the service and look as random, because the cost of a search depends on it. No two are
// equal: multiplication by an odd number modulo a power of two is reversible.
const characters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 10;
const bitsPerCharacter = 5;
const factor = 2_654_435_769;
const modulus = 2 ** (length * bitsPerCharacter);

/** The bits of each character, from the first to the last. */
const shifts = Array.from({ length }, (_, at) => (length - 1 - at) * bitsPerCharacter);

/** Returns the invoice number of the n-th order of a digital key. */
export function invoiceNumberOf(tokenId: number, n: number): string {
  const value = (BigInt(numberOf(tokenId, n)) * BigInt(factor)) % BigInt(modulus);
  const picked = shifts.map((shift) => characters.charAt(Number((value >> BigInt(shift)) & 31n)));
  return `KF-${picked.join('')}`;
}

/** Returns the SQL expression of the same number. Both arguments are SQL expressions. */
export function sqlInvoiceNumberOf(tokenId: string, n: string): string {
  return `keyfront.bench_invoice_number(${sqlNumberOf(tokenId, n)})`;
}

const sqlPicked = shifts.map((shift) => `substr('${characters}', 1 + (value >> ${shift} & 31)::int, 1)`);

// The product exceeds a bigint from the 35th digital key on.
export const createInvoiceNumberFunction = `
  CREATE OR REPLACE FUNCTION keyfront.bench_invoice_number(number bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT 'KF-' || ${sqlPicked.join(' || ')} FROM (
      SELECT (number::numeric * ${factor} % ${modulus})::bigint AS value OFFSET 0
    ) AS mixed
  $$`;

// Crockford's: no letter that reads as a digit.
const characters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 10;

/**
 * A number for an invoice, from a source of whole numbers below a bound. Random, so that nobody reads the volume of a
 * store off two invoices; long enough that two are hardly ever the same.
 */
export function makeInvoiceNumber(pickBelow: (bound: number) => number): string {
  const picked = Array.from({ length }, () => characters.charAt(pickBelow(characters.length)));
  return `KF-${picked.join('')}`;
}

// Crockford's Base32: no letter that can be mistaken for a digit.
const characters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 10;

/**
 * Makes an invoice number from a source of random integers below a bound. Random numbers do not reveal how many orders a
 * store has. At this length, collisions are rare.
 */
export function makeInvoiceNumber(pickBelow: (bound: number) => number): string {
  const picked = Array.from({ length }, () => characters.charAt(pickBelow(characters.length)));
  return `KF-${picked.join('')}`;
}

const wholeNumber = new RegExp(`^KF-[${characters}]{${length}}$`, 'i');

/** Returns the invoice number that a text spells in any case, or null if it is not one, or only a part of one. */
export function readInvoiceNumber(text: string): string | null {
  // Tested before it is changed: other letters become ASCII in upper case, such as ſ, which becomes S.
  return wholeNumber.test(text) ? text.toUpperCase() : null;
}

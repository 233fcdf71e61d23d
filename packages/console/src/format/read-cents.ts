/** `12.5`, `12,50`, `€12` and `12` as cents. Null for anything else. */
export function readCents(text: string): number | null {
  const match = /^(?:\p{Sc}\s?)?(\d{1,10})(?:[.,](\d{1,2}))?$/u.exec(text.trim());
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
}

/** An amount as the service takes it, with a point. What is no amount stays as it was typed, so that the service says so. */
export function readAmount(text: string): string {
  const typed = text.trim();
  return readCents(typed) === null ? typed : typed.replace(/^\p{Sc}\s?/u, '').replace(',', '.');
}

/** An amount of the service in cents. Sums of binary fractions drift, sums of cents do not. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

/** How a caller may name a planet. */
export type PlanetReference =
  | { readonly number: number }
  | { readonly id: string }
  | { readonly name: string };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Digits are a number, what looks like an id is one, and all else is a name. */
export function readPlanetReference(text: string): PlanetReference {
  if (/^\d{1,9}$/.test(text)) return { number: Number(text) };
  return uuid.test(text) ? { id: text } : { name: text };
}

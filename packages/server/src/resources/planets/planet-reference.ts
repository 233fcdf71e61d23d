import { uuidForm } from '@keyfront/protocol';
/** How a caller may name a planet. */
export type PlanetReference =
  | { readonly number: number }
  | { readonly id: string }
  | { readonly name: string };

/** Digits are a number, what looks like an id is one, and all else is a name. */
export function readPlanetReference(text: string): PlanetReference {
  if (/^\d{1,9}$/.test(text)) return { number: Number(text) };
  return uuidForm.test(text) ? { id: text } : { name: text };
}

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

/** What a statement is given for a reference: number, id and name, all but one of them null, or all three for none. */
export function planetValues(
  planet: PlanetReference | null,
): [number: number | null, id: string | null, name: string | null] {
  return [
    planet && 'number' in planet ? planet.number : null,
    planet && 'id' in planet ? planet.id : null,
    planet && 'name' in planet ? planet.name : null,
  ];
}

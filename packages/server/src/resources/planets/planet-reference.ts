import { uuidForm } from '@keyfront/protocol';

/** A reference to a planet by number, id or name. */
export type PlanetReference =
  | { readonly number: number }
  | { readonly id: string }
  | { readonly name: string };

/** Parses a reference: digits are a number, a UUID is an id, everything else is a name. */
export function readPlanetReference(text: string): PlanetReference {
  if (/^\d{1,9}$/.test(text)) return { number: Number(text) };
  return uuidForm.test(text) ? { id: text } : { name: text };
}

/**
 * Converts a reference to statement values: number, id and name. The others are null; all three are null without a
 * reference.
 */
export function toPlanetValues(
  planet: PlanetReference | null,
): [number: number | null, id: string | null, name: string | null] {
  return [
    planet && 'number' in planet ? planet.number : null,
    planet && 'id' in planet ? planet.id : null,
    planet && 'name' in planet ? planet.name : null,
  ];
}

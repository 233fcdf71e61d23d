import { type Static, Type } from 'typebox';
import { ImageUrl, Nullable, Uuid } from './values.ts';

export const Planet = Type.Object({
  id: Uuid('Identifies the planet'),
  number: Type.Integer({ minimum: 1, description: 'Its place in the list of planets', examples: [7] }),
  name: Type.String({ examples: ['Verdane'] }),
  description: Type.String(),
  imageUrl: Nullable(Type.String({ format: 'uri' })),
});
export type Planet = Static<typeof Planet>;

export const PlanetList = Type.Object({ planets: Type.Array(Planet) });

// Nine digits, so that each planet can be named by its number wherever a planet is asked for.
const number = Type.Integer({
  minimum: 1,
  maximum: 999_999_999,
  description: 'Its place in the list of planets; unique',
  examples: [7],
});
const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Unique, in any case',
  examples: ['Verdane'],
});
const optionalFields = {
  description: Type.Optional(
    Type.String({ maxLength: 2000, examples: ['Terraced valleys under two slow suns.'] }),
  ),
  imageUrl: Type.Optional(ImageUrl()),
};

export const NewPlanet = Type.Object({ number, name, ...optionalFields });
export type NewPlanet = Static<typeof NewPlanet>;

export const PlanetChange = Type.Object(
  { number: Type.Optional(number), name: Type.Optional(name), ...optionalFields },
  { minProperties: 1 },
);
export type PlanetChange = Static<typeof PlanetChange>;

export const PlanetPath = Type.Object({ planetId: Uuid('Identifies the planet') });

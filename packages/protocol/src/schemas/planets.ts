import { type Static, Type } from 'typebox';
import { FilledText, ImageUrl, Nullable, Uuid } from './values.ts';

export const Planet = Type.Object(
  {
    id: Uuid('Id of the planet'),
    number: Type.Integer({ minimum: 1, description: 'Number of the planet', examples: [7] }),
    name: Type.String({ description: 'Name of the planet', examples: ['Verdane'] }),
    description: Type.String({ description: 'Text about the planet' }),
    imageUrl: Nullable(Type.String({ format: 'uri', description: 'URL of the image' })),
  },
  { title: 'Planet', description: 'A planet of the catalogue. Strains and digital keys belong to planets.' },
);
export type Planet = Static<typeof Planet>;

export const PlanetList = Type.Object({ planets: Type.Array(Planet) }, { title: 'PlanetList' });
export type PlanetList = Static<typeof PlanetList>;

// Nine digits at most, so that a number can always be told apart from a name or an id.
const number = Type.Integer({
  minimum: 1,
  maximum: 999_999_999,
  description: 'Number of the planet. Unique',
  examples: [7],
});
const name = FilledText(100, 'Name of the planet. Unique, case-insensitive', 'Verdane');
const optionalFields = {
  description: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'Text about the planet',
      examples: ['Terraced valleys under two slow suns.'],
    }),
  ),
  imageUrl: Type.Optional(ImageUrl()),
};

export const NewPlanet = Type.Object({ number, name, ...optionalFields }, { title: 'NewPlanet' });
export type NewPlanet = Static<typeof NewPlanet>;

export const PlanetChange = Type.Object(
  { number: Type.Optional(number), name: Type.Optional(name), ...optionalFields },
  { title: 'PlanetChange', minProperties: 1 },
);
export type PlanetChange = Static<typeof PlanetChange>;

export const PlanetPath = Type.Object({ planetId: Uuid('Id of the planet') });

import { type Static, Type } from 'typebox';
import { Nullable, Uuid } from './values.ts';

export const Planet = Type.Object({
  id: Uuid('Identifies the planet'),
  number: Type.Integer({ minimum: 1, description: 'Its place in the list of planets', examples: [7] }),
  name: Type.String({ examples: ['Verdane'] }),
  description: Type.String(),
  imageUrl: Nullable(Type.String({ format: 'uri' })),
});
export type Planet = Static<typeof Planet>;

export const PlanetList = Type.Object({ planets: Type.Array(Planet) });

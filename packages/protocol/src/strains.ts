import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Currency, Money, Nullable, Uuid } from './values.ts';

export const strainTypes = ['INDICA', 'SATIVA', 'HYBRID'] as const;

export const Strain = Type.Object({
  id: Uuid('Identifies the strain'),
  name: Type.String({ examples: ['Lunar Saffron'] }),
  description: Type.String(),
  type: Type.Enum([...strainTypes]),
  thc: Type.Number({ description: 'Per cent', examples: [18.5] }),
  cbd: Type.Number({ description: 'Per cent', examples: [0.8] }),
  flavour: Type.String({ description: 'A list in words, with commas', examples: ['citrus, pine'] }),
  feelings: Type.String({ description: 'A list in words, with commas', examples: ['calm, happy'] }),
  helpsWith: Type.String({ description: 'A list in words, with commas', examples: ['stress, sleep'] }),
  retailPrice: Money('Price of one unit'),
  currency: Currency(),
  stockQuantity: Type.Integer({ minimum: 0, description: 'Units in stock' }),
  isAvailable: Type.Boolean(),
  imageUrl: Nullable(Type.String({ format: 'uri' })),
  countryCodes: Type.Array(Type.String(), {
    description: 'Where it may be sold: ISO 3166-1 alpha-3',
    examples: [['PRT', 'DEU']],
  }),
  planet: Type.Object({
    number: Type.Integer({ examples: [7] }),
    name: Type.String({ examples: ['Verdane'] }),
  }),
});
export type Strain = Static<typeof Strain>;

export const StrainPage = Type.Object({ strains: Type.Array(Strain), pageMetaDto: PageMeta });
export type StrainPage = Static<typeof StrainPage>;

export const StrainListQuery = Type.Object({
  ...pageQueryFields,
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'Part of the name or the description, in any case' }),
  ),
  countryCode: Type.Optional(
    Type.String({
      pattern: '^([A-Za-z]{3})?$',
      description: 'Only what may be sold there: ISO 3166-1 alpha-3',
      examples: ['PRT'],
    }),
  ),
  planet: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Only the strains of this planet: its number, name or id',
      examples: ['7'],
    }),
  ),
});
export type StrainListQuery = Static<typeof StrainListQuery>;

export const StrainPath = Type.Object({ strainId: Uuid('Identifies the strain') });

import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Currency, ImageUrl, Money, Nullable, Uuid } from './values.ts';

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

/** What a stock can be counted up to. */
export const largestStock = 2_147_483_647;

const Percentage = (example: number) =>
  Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.01, description: 'Per cent', examples: [example] });
const Words = (maxLength: number, example: string) => Type.String({ maxLength, examples: [example] });

const requiredFields = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '\\S',
    description: 'Unique, in any case',
    examples: ['Lunar Saffron'],
  }),
  type: Type.Enum([...strainTypes]),
  thc: Percentage(18.5),
  cbd: Percentage(0.8),
  retailPrice: Type.String({
    pattern: '^(0|[1-9]\\d{0,9})(\\.\\d{1,2})?$',
    description: 'Price of one unit',
    examples: ['12.50'],
  }),
  currency: Currency(),
  stockQuantity: Type.Integer({
    minimum: 0,
    maximum: largestStock,
    description: 'Units in stock',
    examples: [240],
  }),
  planet: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The planet it belongs to: its number, name or id',
    examples: ['7'],
  }),
};
const otherFields = {
  description: Words(2000, 'A slow evening strain with a warm, spiced finish.'),
  flavour: Words(500, 'saffron, pine'),
  feelings: Words(500, 'calm, happy'),
  helpsWith: Words(500, 'stress, sleep'),
  imageUrl: ImageUrl(),
  countryCodes: Type.Array(Type.String({ pattern: '^[A-Z]{3}$' }), {
    maxItems: 250,
    uniqueItems: true,
    description: 'Where it may be sold: ISO 3166-1 alpha-3',
    examples: [['PRT', 'DEU']],
  }),
  isAvailable: Type.Boolean({ description: 'Whether it can be ordered' }),
};

export const NewStrain = Type.Object({
  ...requiredFields,
  ...Type.Partial(Type.Object(otherFields)).properties,
});
export type NewStrain = Static<typeof NewStrain>;

export const StrainChange = Type.Object(
  {
    ...Type.Partial(Type.Object({ ...requiredFields, ...otherFields })).properties,
    stockChange: Type.Optional(
      Type.Integer({
        minimum: -largestStock,
        maximum: largestStock,
        description:
          'Units that come in or, below zero, go out. Unlike `stockQuantity` it loses no order that is placed ' +
          'meanwhile; only one of the two may be there.',
        examples: [-12],
      }),
    ),
  },
  { minProperties: 1 },
);
export type StrainChange = Static<typeof StrainChange>;

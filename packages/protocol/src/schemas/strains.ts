import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { textPatterns } from './text-patterns.ts';
import { Amount, AmountInput, Currency, FilledText, ImageUrl, Nullable, StringEnum, Uuid } from './values.ts';

export const strainTypes = ['INDICA', 'SATIVA', 'HYBRID'] as const;

const StrainType = () => StringEnum(strainTypes, { description: 'Type of the plant', title: 'StrainType' });

/** A planet inside another resource. */
export const PlanetReference = Type.Object(
  {
    number: Type.Integer({ description: 'Number of the planet', examples: [7] }),
    name: Type.String({ description: 'Name of the planet', examples: ['Verdane'] }),
  },
  { title: 'PlanetReference', description: 'The planet that it belongs to' },
);

export const Strain = Type.Object(
  {
    id: Uuid('Id of the strain'),
    name: Type.String({ description: 'Name of the strain', examples: ['Lunar Saffron'] }),
    description: Type.String({ description: 'Text for the product page' }),
    type: StrainType(),
    thc: Type.Number({ description: 'THC content in per cent', examples: [18.5] }),
    cbd: Type.Number({ description: 'CBD content in per cent', examples: [0.8] }),
    flavour: Type.String({ description: 'Flavours, separated by commas', examples: ['citrus, pine'] }),
    feelings: Type.String({ description: 'Effects, separated by commas', examples: ['calm, happy'] }),
    helpsWith: Type.String({ description: 'Uses, separated by commas', examples: ['stress, sleep'] }),
    retailPrice: Amount('Price of one unit'),
    currency: Currency(),
    stockQuantity: Type.Integer({ minimum: 0, description: 'Units in stock' }),
    isAvailable: Type.Boolean({ description: 'Whether the strain can be ordered' }),
    imageUrl: Nullable(Type.String({ format: 'uri', description: 'URL of the image' })),
    countryCodes: Type.Array(Type.String(), {
      description: 'Countries in which the strain may be sold, as ISO 3166-1 alpha-3 codes',
      examples: [['PRT', 'DEU']],
    }),
    planet: PlanetReference,
  },
  { title: 'Strain', description: 'A product of the catalogue' },
);
export type Strain = Static<typeof Strain>;

export const StrainPage = Type.Object(
  { strains: Type.Array(Strain), pageMetaDto: PageMeta },
  { title: 'StrainPage' },
);
export type StrainPage = Static<typeof StrainPage>;

export const StrainListQuery = Type.Object({
  ...pageQueryFields,
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'Part of the name or the description, case-insensitive' }),
  ),
  countryCode: Type.Optional(
    Type.String({
      pattern: textPatterns.countryCodeInAnyCase.pattern,
      description: 'Only strains that may be sold in this country (ISO 3166-1 alpha-3)',
      examples: ['PRT'],
    }),
  ),
  planet: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Only strains of this planet, given by number, name or id',
      examples: ['7'],
    }),
  ),
});
export type StrainListQuery = Static<typeof StrainListQuery>;

export const StrainPath = Type.Object({ strainId: Uuid('Id of the strain') });

/** The largest stock that a strain can have. */
export const largestStock = 2_147_483_647;

const Percentage = (description: string, example: number) =>
  Type.Number({
    minimum: 0,
    maximum: 100,
    multipleOf: 0.01,
    description: `${description}, with at most two decimals`,
    examples: [example],
  });
const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] });

const requiredFields = {
  name: FilledText(100, 'Name of the strain. Unique, case-insensitive', 'Lunar Saffron'),
  type: StrainType(),
  thc: Percentage('THC content in per cent', 18.5),
  cbd: Percentage('CBD content in per cent', 0.8),
  retailPrice: AmountInput('Price of one unit'),
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
    description: 'The planet that the strain belongs to, given by number, name or id',
    examples: ['7'],
  }),
};
const otherFields = {
  description: Text(2000, 'Text for the product page', 'A slow evening strain with a warm, spiced finish.'),
  flavour: Text(500, 'Flavours, separated by commas', 'saffron, pine'),
  feelings: Text(500, 'Effects, separated by commas', 'calm, happy'),
  helpsWith: Text(500, 'Uses, separated by commas', 'stress, sleep'),
  imageUrl: ImageUrl(),
  countryCodes: Type.Array(Type.String({ pattern: textPatterns.countryCode.pattern }), {
    maxItems: 250,
    uniqueItems: true,
    description: 'Countries in which the strain may be sold, as ISO 3166-1 alpha-3 codes',
    examples: [['PRT', 'DEU']],
  }),
  isAvailable: Type.Boolean({ description: 'Whether the strain can be ordered' }),
};

export const NewStrain = Type.Object(
  { ...requiredFields, ...Type.Partial(Type.Object(otherFields)).properties },
  { title: 'NewStrain' },
);
export type NewStrain = Static<typeof NewStrain>;

export const StrainChange = Type.Object(
  {
    ...Type.Partial(Type.Object({ ...requiredFields, ...otherFields })).properties,
    stockChange: Type.Optional(
      Type.Integer({
        minimum: -largestStock,
        maximum: largestStock,
        description:
          'Units to add to the stock, or to remove if negative. Unlike `stockQuantity`, it does not overwrite what ' +
          'concurrent orders take. Give only one of the two.',
        examples: [-12],
      }),
    ),
  },
  { title: 'StrainChange', minProperties: 1 },
);
export type StrainChange = Static<typeof StrainChange>;

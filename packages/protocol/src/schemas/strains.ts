import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { textPatterns } from './text-patterns.ts';
import {
  Alias,
  Alpha3Code,
  Amount,
  AmountInput,
  CountryCode,
  Currency,
  FilledText,
  ImageAddress,
  ImageUrl,
  maximumAmount,
  Nullable,
  NullableAmountInput,
  StringEnum,
  Uuid,
  YesOrNo,
} from './values.ts';

export const strainTypes = ['INDICA', 'SATIVA', 'HYBRID'] as const;

export const StrainType = () =>
  StringEnum(strainTypes, { description: 'Type of the plant', title: 'StrainType' });

/** A planet inside another resource. */
export const PlanetReference = Type.Object(
  {
    number: Type.Integer({ description: 'Number of the planet', examples: [7] }),
    name: Type.String({ description: 'Name of the planet', examples: ['Verdane'] }),
  },
  { title: 'PlanetReference', description: 'The planet that it belongs to' },
);

export const StrainLocation = Type.Object(
  {
    id: Uuid('Id of the location'),
    isActive: Type.Boolean({ description: 'Whether the strain is sold in this country' }),
    isAvailable: Type.Boolean({ description: 'Whether the strain can be ordered in this country now' }),
    stockQuantity: Type.Integer({ minimum: 0, description: 'Units in stock for this country' }),
    retailPrice: Amount('Price of one unit in this country'),
    currency: Currency(),
    location: Type.Object(
      {
        country: Type.String({ description: 'English name of the country', examples: ['Portugal'] }),
        countryCode: Alpha3Code('Country'),
        currency: Currency(),
        deliveryCharge: Amount('What the delivery of an order in this currency costs'),
        freeDeliveryAbove: Nullable(
          Amount('Subtotal from which the delivery is free. Null: it is never free, unless it costs nothing'),
        ),
      },
      { title: 'StrainCountry' },
    ),
  },
  { title: 'StrainLocation', description: 'Price and stock of a strain in one country' },
);
export type StrainLocation = Static<typeof StrainLocation>;

/** The longest list of images of a strain. */
export const maximumStrainImages = 20;

export const StrainImage = Type.Object(
  {
    strainImageUrl: Type.String({ format: 'uri', description: 'URL of the image' }),
    altText: Type.String({ description: 'What the image shows, for people who cannot see it' }),
  },
  { title: 'StrainImage', description: 'An image of a strain' },
);
export type StrainImage = Static<typeof StrainImage>;

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
    retailPrice: Amount('Price of one unit in the requested country; without a country, the base price'),
    currency: Currency(),
    stockQuantity: Type.Integer({
      minimum: 0,
      description: 'Units in stock for the requested country; without a country, for all countries',
    }),
    isActive: Type.Boolean({
      description: 'Whether administrators offer the strain, with or without stock',
    }),
    isAvailable: Type.Boolean({
      description:
        'Whether the strain can be ordered now in the requested country; without a country, in any. Needs stock',
    }),
    imageUrl: Nullable(Type.String({ format: 'uri', description: 'URL of the first image' })),
    strainImages: Type.Array(StrainImage, {
      description: 'All images, in the order in which they are shown',
    }),
    countryCodes: Type.Array(Type.String(), {
      description: 'Countries in which the strain is sold, as ISO 3166-1 alpha-3 codes',
      examples: [['DEU', 'PRT']],
    }),
    strainLocations: Type.Array(StrainLocation, {
      description: 'By country. With `countryCode`, only that country.',
    }),
    planet: PlanetReference,
  },
  { title: 'Strain', description: 'A product of the catalogue' },
);
export type Strain = Static<typeof Strain>;

const FacetValues = (description: string) =>
  Type.Array(
    Type.Object(
      {
        value: Type.String({ description: 'The value', examples: ['calm'] }),
        count: Type.Integer({ minimum: 1, description: 'Strains with this value' }),
      },
      { title: 'FacetValue' },
    ),
    { description: `${description}, the most frequent first` },
  );
const FacetRange = (description: string) =>
  Type.Object(
    {
      min: Nullable(Type.Number({ description: 'The smallest' })),
      max: Nullable(Type.Number({ description: 'The largest' })),
    },
    { description: `${description}. Null if no strain is left` },
  );

export const StrainFacets = Type.Object(
  {
    type: FacetValues('Types'),
    feelings: FacetValues('Effects'),
    helpsWith: FacetValues('Uses'),
    flavour: FacetValues('Flavours'),
    thc: FacetRange('The smallest and the largest THC content'),
    price: FacetRange(
      'The lowest and the highest price in the requested country; without a country, of base prices',
    ),
  },
  {
    title: 'StrainFacets',
    description:
      'What a customer can still choose: each facet counts the strains that all other filters leave',
  },
);
export type StrainFacets = Static<typeof StrainFacets>;

export const StrainPage = Type.Object(
  {
    strains: Type.Array(Strain),
    pageMetaDto: PageMeta,
    facets: Type.Optional(StrainFacets),
  },
  { title: 'StrainPage' },
);
export type StrainPage = Static<typeof StrainPage>;

/** Fields that the catalogue can be sorted by. */
export const strainSortFields = ['name', 'retailPrice', 'thc', 'cbd', 'createdAt'] as const;
export const strainSorts = strainSortFields.flatMap(
  (field) => [field, `${field}:asc`, `${field}:desc`] as const,
);

const anyOf = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      description: `${description}: one or several, separated by commas, in any case`,
      examples: [example],
    }),
  );
const percentage = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: `${description}, in per cent` }));
const priceLimit = (description: string) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: maximumAmount,
      description: `${description} in the country of \`countryCode\`, which is then required`,
    }),
  );

export const StrainListQuery = Type.Object({
  ...pageQueryFields,
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'Part of the name or the description, case-insensitive' }),
  ),
  countryCode: Type.Optional(
    CountryCode(
      'Only strains that are sold in this country, with its price and stock (ISO 3166-1 alpha-3 or alpha-2)',
    ),
  ),
  country: Alias('countryCode', CountryCode('')),
  planet: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Only strains of this planet, given by number, name or id',
      examples: ['7'],
    }),
  ),
  type: Type.Optional(
    Type.String({
      pattern: textPatterns.strainTypes.pattern,
      description: 'Only strains of this type: one or several, separated by commas',
      examples: ['INDICA,HYBRID'],
    }),
  ),
  feelings: anyOf('Only strains with one of these effects', 'calm,happy'),
  helpsWith: anyOf('Only strains with one of these uses', 'sleep'),
  flavour: anyOf('Only strains with one of these flavours', 'pine'),
  thcMin: percentage('The smallest THC content'),
  thcMax: percentage('The largest THC content'),
  cbdMin: percentage('The smallest CBD content'),
  cbdMax: percentage('The largest CBD content'),
  priceMin: priceLimit('The lowest price'),
  priceMax: priceLimit('The highest price'),
  isAvailable: YesOrNo('Only strains that can be ordered now, or only those that cannot'),
  orderBy: Type.Optional(
    StringEnum(strainSorts, {
      description:
        'Sort order. `retailPrice` is the price in the requested country. The default is `name:asc`.',
    }),
  ),
  facets: YesOrNo('`true` adds `facets` to the response'),
});
export type StrainListQuery = Static<typeof StrainListQuery>;

export const StrainQuery = Type.Object({
  countryCode: Type.Optional(
    CountryCode('Show price and stock of this country (ISO 3166-1 alpha-3 or alpha-2)'),
  ),
  country: Alias('countryCode', CountryCode('')),
});
export type StrainQuery = Static<typeof StrainQuery>;

export const StrainPath = Type.Object({ strainId: Uuid('Id of the strain') });

/** The largest stock that a strain can have in one country. */
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

const price = AmountInput('Price of one unit');
const stockQuantity = (description: string) =>
  Type.Integer({ minimum: 0, maximum: largestStock, description, examples: [240] });
const stockChange = (description: string) =>
  Type.Integer({ minimum: -largestStock, maximum: largestStock, description, examples: [-12] });

const requiredFields = {
  name: FilledText(100, 'Name of the strain. Unique, case-insensitive', 'Lunar Saffron'),
  type: StrainType(),
  thc: Percentage('THC content in per cent', 18.5),
  cbd: Percentage('CBD content in per cent', 0.8),
  retailPrice: price,
  currency: Currency(),
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
  strainImages: Type.Array(
    Type.Object(
      {
        strainImageUrl: ImageAddress(),
        altText: Type.Optional(
          Type.String({
            maxLength: 500,
            description: 'What the image shows. The default is the name of the strain',
            examples: ['A leaf of Lunar Saffron'],
          }),
        ),
      },
      { title: 'NewStrainImage' },
    ),
    {
      maxItems: maximumStrainImages,
      description:
        'All images, in the order in which they are shown. They replace the images that the strain has. `imageUrl` alone replaces the first ' +
        'image only.',
    },
  ),
  countryCodes: Type.Array(CountryCode('Country (ISO 3166-1 alpha-3 or alpha-2)'), {
    maxItems: 250,
    uniqueItems: true,
    description:
      'Countries in which the strain is sold, at its base price. The locations of other countries become inactive.',
    examples: [['DEU', 'PRT']],
  }),
  stockQuantity: stockQuantity(
    'Units in stock. They are divided evenly over the countries of the strain, and the first gets the remainder.',
  ),
  isActive: Type.Boolean({ description: 'Whether the strain is offered at all' }),
  isAvailable: Type.Boolean({
    deprecated: true,
    description: 'The former name of `isActive`. It has no effect if `isActive` is given',
  }),
};

const locationFields = {
  countryCode: CountryCode('Country (ISO 3166-1 alpha-3 or alpha-2)'),
  isActive: Type.Optional(
    Type.Boolean({ description: 'Whether the strain is sold in this country', default: true }),
  ),
  stockQuantity: Type.Optional(stockQuantity('Units in stock for this country')),
  retailPrice: Type.Optional(price),
  currency: Type.Optional(Currency()),
};
const maximumLocations = 250;

export const NewStrainLocation = Type.Object(locationFields, {
  title: 'NewStrainLocation',
  description: 'Without a price, the base price of the strain applies.',
});
export type NewStrainLocation = Static<typeof NewStrainLocation>;

export const StrainLocationChange = Type.Object(
  {
    ...locationFields,
    retailPrice: Type.Optional(NullableAmountInput('Price of one unit')),
    stockChange: Type.Optional(
      stockChange(
        'Units to add to the stock, or to remove if negative. Give it or `stockQuantity`, not both.',
      ),
    ),
  },
  {
    title: 'StrainLocationChange',
    description: 'Fields that are left out keep their value. `retailPrice` null restores the base price.',
  },
);
export type StrainLocationChange = Static<typeof StrainLocationChange>;

export const NewStrain = Type.Object(
  {
    ...requiredFields,
    ...Type.Partial(Type.Object(otherFields)).properties,
    strainLocations: Type.Optional(
      Type.Array(NewStrainLocation, {
        maxItems: maximumLocations,
        description:
          'Countries in which the strain is sold, each with its own stock and price. Give them instead of `countryCodes` ' +
          'and `stockQuantity`.',
      }),
    ),
  },
  { title: 'NewStrain' },
);
export type NewStrain = Static<typeof NewStrain>;

export const StrainChange = Type.Object(
  {
    ...Type.Partial(Type.Object({ ...requiredFields, ...otherFields })).properties,
    stockChange: Type.Optional(
      stockChange(
        'Units to add to the stock, or to remove if negative, divided evenly over the countries of the strain. Unlike ' +
          '`stockQuantity`, it does not overwrite what concurrent orders take. Give only one of the two.',
      ),
    ),
    strainLocations: Type.Optional(
      Type.Array(StrainLocationChange, {
        minItems: 1,
        maxItems: maximumLocations,
        description:
          'Changes of the countries in the list; a country that the strain does not have yet is added. Give them instead of ' +
          '`countryCodes`, `stockQuantity` and `stockChange`.',
      }),
    ),
  },
  { title: 'StrainChange', minProperties: 1 },
);
export type StrainChange = Static<typeof StrainChange>;

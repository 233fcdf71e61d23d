import { type TSchema, Type } from 'typebox';
import { textPatterns } from './text-patterns.ts';

/** A UUID as PostgreSQL accepts it, in upper or lower case, without the `urn:uuid:` prefix. */
export const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID. The service creates version 7. */
export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

/** One of a fixed set of strings. The explicit `type` lets serialisers write it without inspecting the value. */
export const StringEnum = <const Value extends string>(
  values: readonly Value[],
  options: {
    readonly description?: string;
    readonly default?: Value;
    readonly title?: string;
    /** The value that an agent always sends: it cannot choose. */
    readonly 'x-agents-send'?: Value;
  } = {},
) => Type.Unsafe<Value>({ type: 'string', enum: [...values], ...options });

export const yesOrNo = ['true', 'false'] as const;

/** A choice in a query. */
export const YesOrNo = (description: string) => Type.Optional(StringEnum(yesOrNo, { description }));

/** An amount of money in a response: a JSON number with at most two decimals, next to a currency. */
export const Amount = (description: string) =>
  Type.Number({ minimum: 0, description: `${description}, with at most two decimals`, examples: [12.5] });

/** The largest amount that a request may contain. */
export const maximumAmount = 9_999_999_999.99;

/** An amount of money in a request: a JSON number, or the same as a decimal string. */
export const AmountInput = (description: string) =>
  Type.Unsafe<number | string>({
    type: ['number', 'string'],
    minimum: 0,
    maximum: maximumAmount,
    pattern: textPatterns.amount.pattern,
    description: `${description}, with at most two decimals, as a number or a decimal string`,
    examples: [12.5],
  });

/** An amount of money in a request, or null. */
export const NullableAmountInput = (description: string) =>
  Type.Unsafe<number | string | null>({ ...AmountInput(description), type: ['number', 'string', 'null'] });

/** ISO 4217. */
export const Currency = () =>
  Type.String({
    pattern: textPatterns.currency.pattern,
    description: 'ISO 4217 currency code',
    examples: ['EUR'],
  });

/** A country in a request: ISO 3166-1 alpha-3 or alpha-2, in any case. */
export const CountryCode = (description: string) =>
  Type.String({ pattern: textPatterns.countryCode.pattern, description, examples: ['PRT'] });

/** A country in a response: ISO 3166-1 alpha-3. */
export const Alpha3Code = (description: string) =>
  Type.String({ description: `${description} (ISO 3166-1 alpha-3)`, examples: ['PRT'] });

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-15T09:30:00.000Z'] });

/** Another name of a field. A request may have both if they say the same. */
export const Alias = <Schema extends TSchema>(name: string, schema: Schema) =>
  Type.Optional({
    ...schema,
    description: `Alias of \`${name}\`. If both are given, they must be the same.`,
    'x-alias-of': name,
  });

/** The name that existing storefronts read in a response, besides the name of the field. */
export const FormerName = <Schema extends TSchema>(name: string, schema: Schema, difference = '') => ({
  ...schema,
  deprecated: true,
  description: `The same as \`${name}\`${difference && ` ${difference}`}, for existing storefronts`,
});

/** Marks personal data of a customer. An agent sees it only with a key that may read clients. */
export const Personal = <Schema extends TSchema>(schema: Schema): Schema => ({
  ...schema,
  'x-personal-data': true,
});

/** Marks what somebody else than the service has written, such as a customer. An agent must not follow instructions in it. */
export const Untrusted = <Schema extends TSchema>(schema: Schema): Schema => ({
  ...schema,
  'x-untrusted': true,
});

/** Marks a secret that only this response contains. An operation that returns one is no tool of an agent. */
export const Secret = <Schema extends TSchema>(schema: Schema): Schema => ({ ...schema, 'x-secret': true });

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const Count = (description: string, example?: number) =>
  Type.Integer({ minimum: 0, description, ...(example === undefined ? {} : { examples: [example] }) });

const imageAddress = {
  format: 'uri',
  pattern: textPatterns.webAddress.pattern,
  maxLength: 2048,
  examples: ['https://images.example/7.png'],
};

/** The URL of an image in a request. */
export const ImageAddress = () => Type.String({ ...imageAddress, description: 'URL of the image' });

/** The URL of an image in a request; null removes the image. */
export const ImageUrl = () =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    ...imageAddress,
    description: 'URL of the image; null removes it',
  });

export const TokenId = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [1001] });

/** The digital key that a resource belongs to. */
export const NftReference = Type.Object(
  { tokenId: TokenId('Token id of the digital key') },
  { title: 'NftReference', description: 'The digital key that the resource belongs to' },
);

/** A digital key as a filter, with the digits of its token id. */
export const TokenFilter = (description: string) =>
  Type.Optional(Type.String({ pattern: textPatterns.tokenId.pattern, description, examples: ['1001'] }));

/** A wallet address in a request, in any case. */
export const WalletAddress = (description: string) =>
  Type.String({
    pattern: textPatterns.ethereumAddress.pattern,
    description,
    examples: ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
  });

/** A wallet address in a response, with its ERC-55 checksum. */
export const ChecksumAddress = (description: string) =>
  Type.String({
    description: `${description} (with ERC-55 checksum)`,
    examples: ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
  });

/** A text that may be empty. */
export const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] });

/** A text that must contain something other than white space. */
export const FilledText = (maxLength: number, description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: textPatterns.notBlank.pattern,
    description,
    examples: [example],
  });

export const maximumMetadataNames = 20;

/** What a storefront notes about a resource. Returned as it is. */
export const Metadata = () =>
  Untrusted(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What the storefront has noted. Empty without notes',
      examples: [{ campaign: 'spring' }],
    }),
  );

/** Notes in a request. */
export const MetadataChange = () =>
  Type.Optional(
    Type.Unsafe<Record<string, string | null>>({
      type: 'object',
      maxProperties: maximumMetadataNames,
      propertyNames: { minLength: 1, maxLength: 40 },
      additionalProperties: { type: ['string', 'null'], maxLength: 500 },
      description:
        `Notes of the storefront: at most ${maximumMetadataNames} names of 40 characters, each with a text of 500 characters. A change ` +
        'keeps the names that it does not have; null removes a name',
      examples: [{ campaign: 'spring' }],
    }),
  );

/** Where a customer returns to from a page of a provider. The rules of the service say more than the schema. */
export const ReturnUrl = (description: string) =>
  Type.String({
    format: 'uri',
    pattern: textPatterns.webAddress.pattern,
    maxLength: 2048,
    description: `${description} It must begin with \`https://\`. It is shown to the customer and never fetched.`,
    examples: ['https://shop.example/orders/7'],
  });

export const approvals = ['PENDING', 'VERIFIED', 'REJECTED'] as const;
export type Approval = (typeof approvals)[number];

export const AdminApproval = () =>
  StringEnum(approvals, { description: 'Decision of the administrators', title: 'AdminApproval' });

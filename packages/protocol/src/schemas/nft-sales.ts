import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { PlanetReference } from './strains.ts';
import { textPatterns } from './text-patterns.ts';
import {
  ChecksumAddress,
  Nullable,
  StringEnum,
  Timestamp,
  TokenFilter,
  TokenId,
  Uuid,
  WalletAddress,
} from './values.ts';

export const nftSaleStates = ['DRAFT', 'LISTED', 'CANCELLED', 'SOLD'] as const;
export type NftSaleState = (typeof nftSaleStates)[number];

export const nftSaleCurrencies = ['ETH'] as const;
export const defaultNftSaleCurrency = 'ETH';

const Digits = (description: string, example: string) =>
  Type.String({ pattern: textPatterns.digits.pattern, description, examples: [example] });

const Fields = () =>
  Type.Array(
    Type.Object(
      {
        name: Type.String({ description: 'Name of the field' }),
        type: Type.String({ description: 'Solidity type of the field' }),
      },
      { title: 'TypedDataField' },
    ),
  );

export const NftSaleTypedData = Type.Object(
  {
    domain: Type.Object({
      name: Type.String({ description: 'Name of the marketplace', examples: ['Keyfront Marketplace'] }),
      version: Type.String({ description: 'Version of the marketplace', examples: ['2'] }),
      // A number: libraries drop a chain id that is a string from the domain, and sign something else.
      chainId: Type.Integer({ description: 'Id of the chain', examples: [1] }),
      verifyingContract: ChecksumAddress('Marketplace contract; the zero address if there is none'),
    }),
    types: Type.Object({
      EIP712Domain: Fields(),
      Listing: Type.Optional(Fields()),
      Cancellation: Type.Optional(Fields()),
    }),
    primaryType: StringEnum(['Listing', 'Cancellation'], { description: 'What the owner agrees to' }),
    message: Type.Object({
      saleId: Type.String({
        pattern: textPatterns.saleIdBytes.pattern,
        description: 'Id of the sale as 16 bytes',
        examples: ['0x019a8f3e7c0070008000000000000601'],
      }),
      owner: ChecksumAddress('Wallet of the seller'),
      tokenId: Digits('Token id of the digital key', '1001'),
      nonce: Digits('How often the digital key has changed its owner', '1'),
      price: Digits('Price in wei', '1500000000000000000'),
      expiry: Digits('Unix time in seconds until which the signature is valid', '1797326999'),
    }),
  },
  {
    title: 'NftSaleTypedData',
    description:
      'EIP-712 typed data. The owner signs it to list a draft or to cancel a listing. Pass it unchanged to ' +
      '`eth_signTypedData_v4`.',
  },
);
export type NftSaleTypedData = Static<typeof NftSaleTypedData>;

export const NftSale = Type.Object(
  {
    id: Uuid('Id of the NFT sale'),
    tokenId: TokenId('Token id of the digital key'),
    seller: ChecksumAddress('Wallet of the seller'),
    price: Type.String({ description: 'Price with up to 18 decimals', examples: ['1.5'] }),
    currency: StringEnum(nftSaleCurrencies, { description: 'Currency of the price' }),
    state: StringEnum(nftSaleStates, { description: 'State of the sale', title: 'NftSaleState' }),
    expiresAt: Timestamp('Until when the sale can be listed, cancelled and bought'),
    createdAt: Timestamp('When the sale was created'),
    updatedAt: Timestamp('When the sale last changed'),
    typedData: Nullable(NftSaleTypedData),
  },
  { title: 'NftSale', description: 'An offer to sell a digital key' },
);
export type NftSale = Static<typeof NftSale>;

export const NewNftSale = Type.Object(
  {
    tokenId: TokenId('Token id of the digital key'),
    price: Type.String({
      pattern: textPatterns.cryptoPrice.pattern,
      description: 'Price with up to 18 decimals. Must be greater than 0.',
      examples: ['1.5'],
    }),
    currency: Type.Optional(
      StringEnum(nftSaleCurrencies, {
        default: defaultNftSaleCurrency,
        description: 'Currency of the price',
      }),
    ),
  },
  { title: 'NewNftSale' },
);
export type NewNftSale = Static<typeof NewNftSale>;

export const NftSaleChange = Type.Object(
  {
    tokenId: TokenId('Token id of the digital key'),
    // A smart wallet's signature may include the code that deploys the wallet, hence the length.
    signature: Type.String({
      pattern: textPatterns.hexBytes.pattern,
      maxLength: 16_386,
      description: 'EIP-712 signature of `typedData` by the owner. Smart wallets: ERC-1271 or ERC-6492.',
      examples: [`0x${'5c'.repeat(65)}`],
    }),
  },
  { title: 'NftSaleChange' },
);
export type NftSaleChange = Static<typeof NftSaleChange>;

export const NftSalePath = Type.Object({ id: Uuid('Id of the NFT sale') });

export const NftSalePage = Type.Object(
  { sales: Type.Array(NftSale), pageMetaDto: PageMeta },
  { title: 'NftSalePage' },
);
export type NftSalePage = Static<typeof NftSalePage>;

export const NftSaleListQuery = Type.Object({
  ...pageQueryFields,
  tokenId: TokenFilter('Only sales of this digital key'),
  seller: Type.Optional(WalletAddress('Only sales of this wallet, in any case')),
  state: Type.Optional(StringEnum(nftSaleStates, { description: 'Only sales in this state' })),
});
export type NftSaleListQuery = Static<typeof NftSaleListQuery>;

export const NftListing = Type.Object(
  {
    id: Uuid('Id of the NFT sale'),
    tokenId: TokenId('Token id of the digital key'),
    planet: PlanetReference,
    seller: ChecksumAddress('Wallet of the seller'),
    price: Type.String({ description: 'Price with up to 18 decimals', examples: ['1.5'] }),
    currency: StringEnum(nftSaleCurrencies, { description: 'Currency of the price' }),
    listedAt: Timestamp('When the sale was listed'),
    expiresAt: Timestamp('Until when the digital key can be bought'),
    typedData: NftSaleTypedData,
    signature: Nullable(
      Type.String({
        description:
          'Signature of `typedData` by the seller. Null if the seller has listed the sale with the contract only.',
        examples: [`0x${'5c'.repeat(65)}`],
      }),
    ),
  },
  { title: 'NftListing', description: 'A digital key that any wallet can buy' },
);
export type NftListing = Static<typeof NftListing>;

/** Fields that listings can be sorted by. */
export const nftListingSortFields = ['listedAt', 'expiresAt', 'price', 'tokenId'] as const;
export type NftListingSortField = (typeof nftListingSortFields)[number];

export const nftListingSorts = [
  'asc',
  'desc',
  ...nftListingSortFields.flatMap((field) => [field, `${field}:asc`, `${field}:desc`] as const),
] as const;

const PriceFilter = (description: string, example: string) =>
  Type.Optional(Type.String({ pattern: textPatterns.cryptoPrice.pattern, description, examples: [example] }));

export const NftListingQuery = Type.Object({
  ...pageQueryFields,
  tokenId: TokenFilter('Only the listing of this digital key'),
  planet: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Only digital keys of this planet, given by number, name or id',
      examples: ['7'],
    }),
  ),
  seller: Type.Optional(WalletAddress('Only listings of this wallet, in any case')),
  minPrice: PriceFilter('Only listings with this price or a higher one', '0.5'),
  maxPrice: PriceFilter('Only listings with this price or a lower one', '2'),
  orderBy: Type.Optional(
    StringEnum(nftListingSorts, {
      description:
        'Sort order. `asc` and `desc` alone sort by the time of the listing. The default is the newest first.',
    }),
  ),
});
export type NftListingQuery = Static<typeof NftListingQuery>;

export const NftListingPage = Type.Object(
  { listings: Type.Array(NftListing), pageMetaDto: PageMeta },
  { title: 'NftListingPage' },
);
export type NftListingPage = Static<typeof NftListingPage>;

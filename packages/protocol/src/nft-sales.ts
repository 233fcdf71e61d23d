import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Nullable, Timestamp, TokenFilter, Uuid } from './values.ts';

export const nftSaleStates = ['DRAFT', 'LISTED', 'CANCELLED', 'SOLD'] as const;
export type NftSaleState = (typeof nftSaleStates)[number];

export const nftSaleCurrencies = ['ETH'] as const;
export const defaultNftSaleCurrency = 'ETH';

/** With the checksum of ERC-55 in its capitals. */
const Address = (description: string) =>
  Type.String({ description, examples: ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F'] });

const Digits = (description: string, example: string) =>
  Type.String({ pattern: '^\\d+$', description, examples: [example] });

const TokenId = () =>
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The digital key',
    examples: [1001],
  });

const Fields = () => Type.Array(Type.Object({ name: Type.String(), type: Type.String() }));

/** What a wallet takes for `eth_signTypedData_v4` as it stands. */
export const NftSaleTypedData = Type.Object(
  {
    domain: Type.Object({
      name: Type.String({ examples: ['Keyfront Marketplace'] }),
      version: Type.String({ examples: ['1'] }),
      // A number: libraries leave a chain id out of the domain that is a text, and so sign something else.
      chainId: Type.Integer({ examples: [1] }),
      verifyingContract: Address('The contract of the marketplace; of zeros where there is none'),
    }),
    types: Type.Object({
      EIP712Domain: Fields(),
      Listing: Type.Optional(Fields()),
      Cancellation: Type.Optional(Fields()),
    }),
    primaryType: Type.Enum(['Listing', 'Cancellation']),
    message: Type.Object({
      saleId: Type.String({
        pattern: '^0x[0-9a-f]{32}$',
        description: 'The id of the sale as 16 bytes',
        examples: ['0x019a8f3e7c0070008000000000000601'],
      }),
      owner: Address('Who sells'),
      tokenId: Digits('The digital key', '1001'),
      price: Digits('In wei', '1500000000000000000'),
      expiry: Digits('The last second, since 1970, in which the signature is good', '1797326999'),
    }),
  },
  {
    description:
      'What the owner signs (EIP-712) to move the sale on: the listing of a draft, the cancellation of what is listed. ' +
      'Goes to `eth_signTypedData_v4` as it stands.',
  },
);
export type NftSaleTypedData = Static<typeof NftSaleTypedData>;

export const NftSale = Type.Object({
  id: Uuid('Identifies the sale'),
  tokenId: TokenId(),
  seller: Address('The wallet that sells, with the checksum of ERC-55 in its capitals'),
  price: Type.String({ description: 'Exact to 18 digits, without zeros at its end', examples: ['1.5'] }),
  currency: Type.Enum([...nftSaleCurrencies]),
  state: Type.Enum([...nftSaleStates]),
  expiresAt: Timestamp('Until when it can be listed, cancelled and bought'),
  createdAt: Timestamp('When it was drafted'),
  updatedAt: Timestamp('When it last changed'),
  typedData: Nullable(NftSaleTypedData),
});
export type NftSale = Static<typeof NftSale>;

export const NewNftSale = Type.Object({
  tokenId: TokenId(),
  price: Type.String({
    pattern: '^(0|[1-9]\\d{0,17})(\\.\\d{1,18})?$',
    description: 'Above 0, exact to 18 digits',
    examples: ['1.5'],
  }),
  currency: Type.Optional(Type.Enum([...nftSaleCurrencies], { default: defaultNftSaleCurrency })),
});
export type NewNftSale = Static<typeof NewNftSale>;

export const NftSaleChange = Type.Object({
  tokenId: TokenId(),
  // Those of smart wallets may carry what deploys the wallet, hence the length.
  signature: Type.String({
    pattern: '^0x(?:[0-9a-fA-F]{2})+$',
    maxLength: 16_386,
    description: 'The owner’s signature of `typedData` (EIP-712); of a smart wallet ERC-1271 or ERC-6492',
  }),
});
export type NftSaleChange = Static<typeof NftSaleChange>;

export const NftSalePath = Type.Object({ id: Uuid('Identifies the sale') });

export const NftSalePage = Type.Object({ sales: Type.Array(NftSale), pageMetaDto: PageMeta });
export type NftSalePage = Static<typeof NftSalePage>;

export const NftSaleListQuery = Type.Object({
  ...pageQueryFields,
  tokenId: TokenFilter('Only the sales of this digital key'),
  seller: Type.Optional(
    Type.String({
      pattern: '^0x[0-9a-fA-F]{40}$',
      description: 'Only the sales of this wallet, in any case',
      examples: ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
    }),
  ),
  state: Type.Optional(Type.Enum(['', ...nftSaleStates], { description: 'Only the sales in this state' })),
});
export type NftSaleListQuery = Static<typeof NftSaleListQuery>;

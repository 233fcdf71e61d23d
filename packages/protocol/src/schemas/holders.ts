import { type Static, Type } from 'typebox';
import { ApiKey } from './keys.ts';
import { CursorPageMeta } from './paging.ts';
import { PlanetReference } from './strains.ts';
import { textPatterns } from './text-patterns.ts';
import {
  ChecksumAddress,
  Count,
  NftReference,
  Nullable,
  StringEnum,
  Timestamp,
  TokenFilter,
  TokenId,
  Uuid,
} from './values.ts';

export const Holder = Type.Object(
  {
    id: Uuid('Id of the holder'),
    walletAddress: ChecksumAddress('Wallet of the holder'),
    email: Nullable(Type.String({ description: 'E-mail address' })),
    primaryNft: Nullable(NftReference),
    createdAt: Timestamp('When the wallet was first seen'),
  },
  { title: 'Holder', description: 'A wallet that owns digital keys' },
);
export type Holder = Static<typeof Holder>;

export const OwnedNft = Type.Object(
  {
    tokenId: TokenId('Token id of the digital key'),
    isPrimary: Type.Boolean({
      description: 'Whether calls with a JWT, and new API keys, act for this digital key',
    }),
    planet: PlanetReference,
    acquiredAt: Timestamp('When the holder acquired it'),
  },
  { title: 'OwnedNft', description: 'A digital key that the holder owns' },
);
export type OwnedNft = Static<typeof OwnedNft>;

export const OwnedNftList = Type.Object({ nfts: Type.Array(OwnedNft) }, { title: 'OwnedNftList' });
export type OwnedNftList = Static<typeof OwnedNftList>;

export const OwnedNftListQuery = Type.Object({
  owns: Type.Optional(
    Uuid('Only the digital key that the client, order, sale or webhook with this id belongs to'),
  ),
});
export type OwnedNftListQuery = Static<typeof OwnedNftListQuery>;

export const PrimaryNftChange = Type.Object(
  { tokenId: TokenId('Token id of the digital key') },
  { title: 'PrimaryNftChange' },
);
export type PrimaryNftChange = Static<typeof PrimaryNftChange>;

/** The digital keys that one holder of a list shows, by token id. */
export const maximumListedTokens = 10;
/** The digital keys and the API keys that one holder shows. Counts cover no more digital keys than these. */
export const maximumHolderRows = 100;

const storefrontCounts = {
  clients: Count('Clients that are not archived', 120),
  orders: Count('Orders in every state', 60),
  webhooks: Count('Webhooks of the holder', 2),
};

const HolderCounts = Type.Object(
  { ...storefrontCounts, apiKeys: Count('API keys that are active', 3) },
  {
    title: 'HolderCounts',
    description: `Counts over all digital keys of a holder. Null for a holder with more than ${maximumHolderRows} digital keys`,
  },
);

const adminHolderFields = {
  ...Holder.properties,
  nftCount: Count('Number of digital keys that the holder owns', 1),
  counts: Nullable(HolderCounts),
  lastActiveAt: Nullable(
    Timestamp(
      'When the holder last signed in or used an API key. Null if no session is open and no API key was ever used',
    ),
  ),
};

export const AdminHolder = Type.Object(
  {
    ...adminHolderFields,
    tokenIds: Type.Array(TokenId('Token id of a digital key'), {
      description: `Token ids of the digital keys, the lowest ${maximumListedTokens} of them`,
    }),
  },
  { title: 'AdminHolder', description: 'A holder as administrators see it' },
);
export type AdminHolder = Static<typeof AdminHolder>;

export const AdminHolderPage = Type.Object(
  {
    holders: Type.Array(AdminHolder, { description: 'Newest first, or by wallet with `walletAddress`' }),
    pageMetaDto: Type.Object(
      {
        take: CursorPageMeta.properties.take,
        hasNextPage: CursorPageMeta.properties.hasNextPage,
        nextCursor: CursorPageMeta.properties.nextCursor,
      },
      { description: 'Position of the page in the list' },
    ),
  },
  { title: 'AdminHolderPage' },
);
export type AdminHolderPage = Static<typeof AdminHolderPage>;

const defaultHolderTake = 20;

export const AdminHolderListQuery = Type.Object({
  take: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: defaultHolderTake,
      description: 'Number of items per page',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 100, description: 'The `nextCursor` of the previous page' }),
  ),
  walletAddress: Type.Optional(
    Type.String({
      pattern: textPatterns.walletPrefix.pattern,
      description:
        'Only holders whose wallet begins with this, in any case. They are sorted by their wallets',
      examples: ['0x71C7'],
    }),
  ),
  tokenId: TokenFilter('Only the holder of the digital key with this token id'),
});
export type AdminHolderListQuery = Static<typeof AdminHolderListQuery>;

/** The number of holders that a query asks for. */
export const holderTakeOf = ({ take = defaultHolderTake }: AdminHolderListQuery): number => take;

export const AdminHolderNft = Type.Object(
  { ...OwnedNft.properties, ...storefrontCounts },
  { title: 'AdminHolderNft', description: 'A digital key of a holder, with what belongs to it' },
);
export type AdminHolderNft = Static<typeof AdminHolderNft>;

const keyStates = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;

export const AdminHolderKey = Type.Object(
  {
    id: ApiKey.properties.id,
    keyName: ApiKey.properties.keyName,
    tokenId: ApiKey.properties.tokenId,
    state: StringEnum(keyStates, { description: 'Whether the API key is accepted', title: 'KeyState' }),
    createdAt: ApiKey.properties.createdAt,
    expiresAt: ApiKey.properties.expiresAt,
    lastUsedAt: ApiKey.properties.lastUsedAt,
    revokedAt: ApiKey.properties.revokedAt,
  },
  { title: 'AdminHolderKey', description: 'An API key of a holder, without the key itself' },
);
export type AdminHolderKey = Static<typeof AdminHolderKey>;

export const AdminHolderDetails = Type.Object(
  {
    ...adminHolderFields,
    nfts: Type.Array(AdminHolderNft, {
      description: `Digital keys by token id, the lowest ${maximumHolderRows} of them`,
    }),
    keys: Type.Array(AdminHolderKey, {
      description: `API keys, the newest ${maximumHolderRows} of them, newest first`,
    }),
  },
  { title: 'AdminHolderDetails', description: 'A holder with their digital keys and API keys' },
);
export type AdminHolderDetails = Static<typeof AdminHolderDetails>;

export const HolderPath = Type.Object({ holderId: Uuid('Id of the holder') });

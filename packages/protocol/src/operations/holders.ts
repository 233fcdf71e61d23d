import { defineOperations } from '../operation.ts';
import {
  AdminHolderDetails,
  AdminHolderListQuery,
  AdminHolderPage,
  Holder,
  HolderPath,
  OwnedNftList,
  OwnedNftListQuery,
  PrimaryNftChange,
} from '../schemas/holders.ts';
import { createdAt, ids, nft, wallets } from './examples.ts';

const holder = {
  id: ids.holder,
  walletAddress: wallets.holder,
  email: null,
  primaryNft: nft,
  createdAt,
};
const ownedNft = {
  tokenId: nft.tokenId,
  isPrimary: true,
  planet: { number: 7, name: 'Verdane' },
  acquiredAt: createdAt,
};
const storefrontCounts = { clients: 120, orders: 60, webhooks: 2 };
const adminHolder = {
  ...holder,
  nftCount: 1,
  counts: { ...storefrontCounts, apiKeys: 1 },
  lastActiveAt: createdAt,
};

export const holderOperations = defineOperations({
  getHolder: {
    method: 'GET',
    path: '/dapp/users/me',
    access: 'credential',
    tag: 'Holder',
    sdk: 'holder.me',
    summary: 'Get the holder',
    status: 200,
    retry: 'safe',
    response: Holder,
    errors: ['HOLDER_REQUIRED', 'RESOURCE_NOT_FOUND'],
    example: { response: holder },
  },

  listNfts: {
    method: 'GET',
    path: '/dapp/users/nfts',
    access: 'credential',
    tag: 'Holder',
    sdk: 'holder.nfts',
    summary: 'List the digital keys of the holder',
    description:
      'To find out for which digital key a client, an order, a sale or a webhook can be read, pass its id as `owns`. The list is ' +
      'empty if it belongs to no digital key of the holder, whether or not it exists.',
    status: 200,
    retry: 'safe',
    query: OwnedNftListQuery,
    response: OwnedNftList,
    errors: ['HOLDER_REQUIRED'],
    example: { response: { nfts: [ownedNft] } },
  },

  changePrimaryNft: {
    method: 'PATCH',
    path: '/dapp/users/primary-nft',
    access: 'jwt',
    tag: 'Holder',
    sdk: 'holder.setPrimaryNft',
    summary: 'Change the primary digital key',
    description:
      'Calls with a JWT, and API keys created from now on, act for the primary digital key. Existing API keys keep theirs.',
    status: 200,
    retry: 'safe',
    body: PrimaryNftChange,
    response: Holder,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'RESOURCE_NOT_FOUND'],
    example: { body: nft, response: holder },
  },

  listAdminHolders: {
    method: 'GET',
    path: '/admin/holders',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.holders.list',
    summary: 'List the holders of the platform',
    description:
      'Lists every wallet that owns or has owned a digital key, newest first, or those that begin with `walletAddress`. ' +
      'To read on, pass `nextCursor` as `cursor`.',
    status: 200,
    retry: 'safe',
    query: AdminHolderListQuery,
    response: AdminHolderPage,
    example: {
      query: { tokenId: String(nft.tokenId) },
      response: {
        holders: [{ ...adminHolder, tokenIds: [nft.tokenId] }],
        pageMetaDto: { take: 20, hasNextPage: false, nextCursor: null },
      },
    },
  },

  getAdminHolder: {
    method: 'GET',
    path: '/admin/holders/{holderId}',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.holders.get',
    summary: 'Get a holder',
    description: 'Returns a holder with their digital keys and API keys. The keys themselves are not shown.',
    status: 200,
    retry: 'safe',
    parameters: HolderPath,
    response: AdminHolderDetails,
    // At the same time.
    roundTrips: 3,
    example: {
      parameters: { holderId: ids.holder },
      response: {
        ...adminHolder,
        nfts: [{ ...ownedNft, ...storefrontCounts }],
        keys: [
          {
            id: ids.key,
            keyName: 'My storefront',
            tokenId: nft.tokenId,
            state: 'ACTIVE',
            createdAt,
            expiresAt: null,
            lastUsedAt: createdAt,
            revokedAt: null,
          },
        ],
      },
    },
  },
});

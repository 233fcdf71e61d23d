import { defineOperations } from '../operation.ts';
import { Holder, OwnedNftList, PrimaryNftChange } from '../schemas/holders.ts';
import { createdAt, ids, nft, wallets } from './examples.ts';

const holder = {
  id: ids.holder,
  walletAddress: wallets.holder,
  email: null,
  primaryNft: nft,
  createdAt,
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
    status: 200,
    retry: 'safe',
    response: OwnedNftList,
    errors: ['HOLDER_REQUIRED'],
    example: {
      response: {
        nfts: [
          {
            tokenId: 1001,
            isPrimary: true,
            planet: { number: 7, name: 'Verdane' },
            acquiredAt: createdAt,
          },
        ],
      },
    },
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
});

import { Holder, OwnedNftList, PrimaryNftChange } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { Router } from '../../pipeline/router.ts';
import { changePrimaryNft, getHolder, getOwnedNfts, requireHolder } from './holder-rules.ts';

const example = {
  id: '019a8f3e-7c00-7000-8000-0000000000aa',
  walletAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  email: null,
  primaryNft: { tokenId: 1001 },
  createdAt: '2026-11-15T09:30:00.000Z',
};

export function addHolderRoutes(router: Router, database: Database): void {
  router.add(
    {
      method: 'GET',
      path: '/dapp/users/me',
      access: 'jwt',
      id: 'getHolder',
      tag: 'Holder',
      summary: 'Who is signed in',
      answer: Holder,
      example,
    },
    ({ scope }) => getHolder(database, requireHolder(scope)),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/users/nfts',
      access: 'jwt',
      id: 'listNfts',
      tag: 'Holder',
      summary: 'List one’s digital keys',
      answer: OwnedNftList,
      example: {
        nfts: [
          {
            tokenId: 1001,
            isPrimary: true,
            planet: { number: 7, name: 'Verdane' },
            acquiredAt: '2026-11-15T09:30:00.000Z',
          },
        ],
      },
    },
    async ({ scope }) => ({ nfts: await getOwnedNfts(database, requireHolder(scope)) }),
  );

  router.add(
    {
      method: 'PATCH',
      path: '/dapp/users/primary-nft',
      access: 'jwt',
      id: 'changePrimaryNft',
      tag: 'Holder',
      summary: 'Choose the primary digital key',
      description:
        'It scopes the calls made with a JWT and the API keys made from now on. Existing API keys stay with the ' +
        'digital key they were made for.',
      body: PrimaryNftChange,
      answer: Holder,
      example,
    },
    ({ scope, body }) => changePrimaryNft(database, requireHolder(scope), body.tokenId),
  );
}

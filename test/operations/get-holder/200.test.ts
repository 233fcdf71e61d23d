import type { Holder, OwnedNftList } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { holder, sibling } = await openStorefront();

it('returns the holder to an API key of any of their digital keys, and to a JWT', async () => {
  const me = dataOf<Holder>(await holder.signedIn.ask('GET', '/dapp/users/me'));
  expect(me).toMatchObject({ id: holder.holderId, walletAddress: holder.account.address });
  for (const caller of [holder, sibling]) {
    expect(dataOf(await caller.ask('GET', '/dapp/users/me'))).toEqual(me);
    const { nfts } = dataOf<OwnedNftList>(await caller.ask('GET', '/dapp/users/nfts'));
    expect(nfts.map(({ tokenId }) => tokenId)).toEqual(
      [holder.tokenId, sibling.tokenId].sort((one, other) => one - other),
    );
  }
});

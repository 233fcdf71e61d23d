import type { NftSale } from '@keyfront/sdk';
import { getKeyfront } from '../../session/keyfront.ts';
import { getSession } from '../../session/session-store.ts';
import { openSessionWallet } from '../../wallets/session-wallet.ts';

/** Lets the wallet sign what the sale asks for, which moves it on: a draft becomes listed, a listed sale cancelled. */
export async function signSale({ id, tokenId, typedData }: NftSale): Promise<NftSale> {
  const session = getSession();
  if (!session || !typedData) throw new Error('This sale has nothing to sign');
  const wallet = await openSessionWallet(session);
  const signature = await wallet.signTypedData(typedData);
  return getKeyfront().nftSales.update(id, { tokenId, signature });
}

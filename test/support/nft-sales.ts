import type { NftSale, NftSaleTypedData } from '@keyfront/protocol';
import type { PrivateKeyAccount } from 'viem/accounts';
import { dataOf, type Storefront, type TestHolder } from './storefront.ts';

type Sql = Storefront['sql'];

/** Ends the open sale of a digital key, which can have only one. */
export async function endOpenSale(sql: Sql, { tokenId }: Pick<TestHolder, 'tokenId'>): Promise<void> {
  await sql(`UPDATE nft_sales SET state = 'CANCELLED' WHERE token_id = $1 AND state IN ('DRAFT', 'LISTED')`, [
    tokenId,
  ]);
}

/** Drafts a sale of the holder's digital key, in place of the one that is open. */
export async function draftSale(holder: TestHolder, sql: Sql, price = '1.5'): Promise<NftSale> {
  await endOpenSale(sql, holder);
  const { tokenId } = holder;
  return dataOf<NftSale>(await holder.ask('POST', '/marketplace/nfts/sale', { body: { tokenId, price } }));
}

/** Drafts a sale and lists it. */
export async function listSale(holder: TestHolder, sql: Sql, price = '1.5'): Promise<NftSale> {
  return dataOf<NftSale>(await handIn(holder, await draftSale(holder, sql, price)));
}

/** Signs the typed data of the sale, and sends the signature. */
export async function handIn(holder: TestHolder, sale: NftSale) {
  return holder.ask('PATCH', `/marketplace/nfts/sale/${sale.id}`, {
    body: { tokenId: sale.tokenId, signature: await signTypedData(holder.account, typedDataOf(sale)) },
  });
}

/** The typed data that the owner signs next. */
export function typedDataOf({ typedData, state }: NftSale): NftSaleTypedData {
  if (!typedData) throw new Error(`A sale that is ${state} asks for no signature`);
  return typedData;
}

/** Signs as a wallet does that gets its JSON and knows nothing else. */
export function signTypedData(account: PrivateKeyAccount, typedData: NftSaleTypedData): Promise<string> {
  return account.signTypedData(JSON.parse(JSON.stringify(typedData)));
}

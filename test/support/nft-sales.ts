import type { NftSale, NftSaleTypedData } from '@keyfront/protocol';
import type { PrivateKeyAccount } from 'viem/accounts';
import { dataOf, type Storefront, type TestHolder } from './storefront.ts';

type Sql = Storefront['sql'];

// Far above the digital keys that the callers act for.
let lastTokenId = 1_000_000;

/** One more digital key of a holder, with nothing for sale. */
export async function insertToken(sql: Sql, holderId: string): Promise<number> {
  const tokenId = ++lastTokenId;
  await sql(
    'INSERT INTO digital_keys (token_id, holder_id, planet_id) SELECT $1, $2, id FROM planets WHERE number = 1',
    [tokenId, holderId],
  );
  return tokenId;
}

/** Drafts the sale of a digital key of its own. */
export async function draftSale(holder: TestHolder, sql: Sql, price = '1.5'): Promise<NftSale> {
  const tokenId = await insertToken(sql, holder.holderId);
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

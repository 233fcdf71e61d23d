import type { NftSale } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { draftSale, endOpenSale, handIn, listSale } from '../../support/nft-sales.ts';
import { dataOf, openStorefront, testMarketplace } from '../../support/storefront.ts';

const { holder, sibling, addDigitalKey, sql } = await openStorefront();

const draft = (body: object, caller: Pick<typeof holder, 'ask'>) =>
  caller.ask('POST', '/marketplace/nfts/sale', { body });
const expire = (id: string) =>
  sql(`UPDATE nft_sales SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
const statesOf = (tokenId: number) =>
  sql<{ id: string; state: string }>(
    'SELECT id, state FROM nft_sales WHERE token_id = $1 ORDER BY created_at, id',
    [tokenId],
  );

it('drafts a sale for 30 days, with the typed data for its listing', async () => {
  const seller = await addDigitalKey();
  const { tokenId } = seller;
  const reply = await draft({ tokenId, price: '1.5', currency: 'ETH' }, seller);
  expect(reply.status).toBe(201);
  const sale = dataOf<NftSale>(reply);
  expect(sale).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    tokenId,
    seller: holder.account.address,
    price: '1.5',
    currency: 'ETH',
    state: 'DRAFT',
    // In whole seconds, as signatures count them.
    expiresAt: expect.stringMatching(/\.000Z$/),
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: sale.createdAt,
    typedData: {
      domain: {
        name: 'Keyfront Marketplace',
        version: '2',
        chainId: testMarketplace.chainId,
        verifyingContract: testMarketplace.contract,
      },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
          { name: 'verifyingContract', type: 'address' },
        ],
        Listing: [
          { name: 'saleId', type: 'bytes16' },
          { name: 'owner', type: 'address' },
          { name: 'tokenId', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'price', type: 'uint256' },
          { name: 'expiry', type: 'uint256' },
        ],
      },
      primaryType: 'Listing',
      message: {
        saleId: `0x${sale.id.replaceAll('-', '')}`,
        owner: holder.account.address,
        tokenId: String(tokenId),
        nonce: '0',
        price: '1500000000000000000',
        expiry: String(Date.parse(sale.expiresAt) / 1000),
      },
    },
  });
  const lifeMs = Date.parse(sale.expiresAt) - Date.parse(sale.createdAt);
  expect(lifeMs).toBeLessThanOrEqual(30 * 86_400_000);
  expect(lifeMs).toBeGreaterThanOrEqual(30 * 86_400_000 - 1000);
  expect(dataOf(await seller.ask('GET', `/marketplace/nfts/sale/${sale.id}`))).toEqual(sale);
});

it.each([
  ['0.000000000000000001', '0.000000000000000001', '1'],
  ['2', '2', '2000000000000000000'],
  ['2.500000000000000000', '2.5', '2500000000000000000'],
  ['10.00', '10', '10000000000000000000'],
  ['100', '100', '100000000000000000000'],
  [
    '999999999999999999.999999999999999999',
    '999999999999999999.999999999999999999',
    '999999999999999999999999999999999999',
  ],
])('keeps the price %s exactly', async (price, shown, wei) => {
  const sale = await draftSale(holder, sql, price);
  expect([sale.price, sale.typedData?.message.price]).toEqual([shown, wei]);
});

it('defaults to ETH', async () => {
  expect((await draftSale(holder, sql)).currency).toBe('ETH');
});

it('drafts for the digital key of the API key, and by JWT for the primary one', async () => {
  const first = dataOf<NftSale>(await draft({ tokenId: sibling.tokenId, price: '1' }, sibling));
  expect(first).toMatchObject({ tokenId: sibling.tokenId, seller: holder.account.address });
  await endOpenSale(sql, holder);
  const second = dataOf<NftSale>(await draft({ tokenId: holder.tokenId, price: '1' }, holder.signedIn));
  expect(second).toMatchObject({ tokenId: holder.tokenId, seller: holder.account.address });
});

it('drafts again after the last sale was cancelled or sold', async () => {
  const cancelled = await listSale(holder, sql);
  dataOf(await handIn(holder, cancelled));
  const sold = await listSale(sibling, sql);
  await sql(`UPDATE nft_sales SET state = 'SOLD' WHERE id = $1`, [sold.id]);
  for (const seller of [holder, sibling]) {
    const { tokenId } = seller;
    expect(dataOf<NftSale>(await draft({ tokenId, price: '3' }, seller)).state).toBe('DRAFT');
  }
});

it.each([
  ['draft', draftSale],
  ['listing', listSale],
])('closes an expired %s without recording a signed cancellation', async (_name, open) => {
  const seller = await addDigitalKey();
  const old = await open(seller, sql);
  await expire(old.id);
  const sale = dataOf<NftSale>(await draft({ tokenId: old.tokenId, price: '3' }, seller));
  expect(await statesOf(old.tokenId)).toEqual([
    { id: old.id, state: 'CANCELLED' },
    { id: sale.id, state: 'DRAFT' },
  ]);
  const ends = await sql(`SELECT FROM transactions WHERE sale_id = $1 AND type = 'LIST_CANCEL'`, [old.id]);
  expect(ends).toEqual([]);
});

it('drafts one sale for concurrent requests', async () => {
  const [fresh, other] = [await addDigitalKey(), await addDigitalKey()];
  await expire((await draftSale(other, sql)).id);
  for (const seller of [fresh, other]) {
    const { tokenId } = seller;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => draft({ tokenId, price: '1' }, seller)),
    );
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.map(({ envelope }) => [envelope.statusCode, envelope.message])).toEqual(
      Array(19).fill([409, 'The digital key has an open sale already']),
    );
    expect((await statesOf(tokenId)).filter(({ state }) => state !== 'CANCELLED')).toHaveLength(1);
  }
});

it('drafts one sale for repeated requests with the same Idempotency-Key', async () => {
  const seller = await addDigitalKey();
  const body = { tokenId: seller.tokenId, price: '1' };
  const headers = { 'idempotency-key': `sale of ${body.tokenId}` };
  const first = await seller.ask('POST', '/marketplace/nfts/sale', { body, headers });
  const second = await seller.ask('POST', '/marketplace/nfts/sale', { body, headers });
  expect(second.status).toBe(201);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await statesOf(body.tokenId)).toHaveLength(1);
});

import type { NftSale, NftSaleTypedData } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { draftSale, handIn, listSale, signTypedData, typedDataOf } from '../../support/nft-sales.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sibling, stranger, admin, sql } = await openStorefront();

const mismatch = 'The signature does not match the address of the message';
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Everything that a refused signature must leave as it is. */
const look = async (id: string) => [
  await sql('SELECT * FROM nft_sales WHERE id = $1', [id]),
  await sql('SELECT * FROM transactions WHERE sale_id = $1 ORDER BY id', [id]),
];

interface Attempt {
  readonly signature: string;
  readonly tokenId?: number;
  readonly caller?: Pick<typeof holder, 'ask'>;
}

/** Hands a signature in, sees that nothing comes of it, and gives the issue. */
async function refusalOf(sale: NftSale, { signature, tokenId = sale.tokenId, caller = holder }: Attempt) {
  const before = await look(sale.id);
  const reply = await caller.ask('PATCH', `/marketplace/nfts/sale/${sale.id}`, {
    body: { tokenId, signature },
  });
  expect(reply.envelope).toMatchObject({ success: false, statusCode: 403, data: null });
  expect(await look(sale.id)).toEqual(before);
  return reply.envelope.message;
}

const sign = (sale: NftSale, account = holder.account) => signTypedData(account, typedDataOf(sale));

/** Signs something that differs from what the sale asks for. */
function signOther(
  sale: NftSale,
  change: (typedData: NftSaleTypedData) => NftSaleTypedData,
): Promise<string> {
  return signTypedData(holder.account, change(typedDataOf(sale)));
}
const withMessage = (change: Partial<NftSaleTypedData['message']>) => (typedData: NftSaleTypedData) => ({
  ...typedData,
  message: { ...typedData.message, ...change },
});
const withDomain = (change: Partial<NftSaleTypedData['domain']>) => (typedData: NftSaleTypedData) => ({
  ...typedData,
  domain: { ...typedData.domain, ...change },
});

it.each([
  ['a draft', draftSale],
  ['a listed sale', listSale],
])('rejects what is not the owner’s signature for %s', async (_name, open) => {
  const sale = await open(holder, sql);
  const other = await open(sibling, sql);
  for (const [name, signature] of [
    ['another wallet', await sign(sale, stranger.account)],
    ['another sale', await sign(other)],
    ['another token', await signOther(sale, withMessage({ tokenId: String(other.tokenId) }))],
    ['another nonce', await signOther(sale, withMessage({ nonce: '1' }))],
    ['another price', await signOther(sale, withMessage({ price: '1499999999999999999' }))],
    ['another owner', await signOther(sale, withMessage({ owner: stranger.account.address }))],
    ['another expiry', await signOther(sale, withMessage({ expiry: '99999999999' }))],
    ['another chain', await signOther(sale, withDomain({ chainId: 10 }))],
    ['another contract', await signOther(sale, withDomain({ verifyingContract: holder.account.address }))],
    ['another marketplace', await signOther(sale, withDomain({ name: 'Keyfront' }))],
    ['another version', await signOther(sale, withDomain({ version: '1' }))],
    ['plain text', await holder.account.signMessage({ message: JSON.stringify(sale.typedData) })],
    ['zeros', `0x${'00'.repeat(65)}`],
    ['no recovery bit that there is', `${(await sign(sale)).slice(0, 130)}1d`],
  ] as const) {
    expect([name, await refusalOf(sale, { signature })]).toEqual([name, mismatch]);
  }
});

it('rejects the signature of the listing as that of the cancellation, and the other way round', async () => {
  const draft = await draftSale(holder, sql);
  const early = await signOther(draft, ({ types, ...typedData }) => ({
    ...typedData,
    types: { EIP712Domain: types.EIP712Domain, Cancellation: types.Listing ?? [] },
    primaryType: 'Cancellation',
  }));
  expect(await refusalOf(draft, { signature: early })).toBe(mismatch);
  const listing = await sign(draft);
  const listed = (await handIn(holder, draft)).envelope.data as NftSale;
  expect(await refusalOf(listed, { signature: listing })).toBe(mismatch);
});

it('rejects a signature that was used before', async () => {
  const listed = await listSale(holder, sql);
  const cancellation = await sign(listed);
  expect((await handIn(holder, listed)).status).toBe(200);
  expect(await refusalOf(listed, { signature: cancellation })).toBe('The sale is CANCELLED');
  const next = await holder.ask('POST', '/marketplace/nfts/sale', {
    body: { tokenId: listed.tokenId, price: listed.price },
  });
  const draft = next.envelope.data as NftSale;
  expect(await refusalOf(draft, { signature: cancellation })).toBe(mismatch);
});

it('rejects the other form of the owner’s signature, with the high s', async () => {
  const sale = await draftSale(holder, sql);
  const signature = await sign(sale);
  const s = (curveOrder - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
  const high = signature.slice(0, 66) + s + (signature.endsWith('1b') ? '1c' : '1b');
  expect(await refusalOf(sale, { signature: high })).toBe(
    'The signature must have the lower of its two possible s values',
  );
});

it('rejects any other length, as there is no chain to ask', async () => {
  const sale = await draftSale(holder, sql);
  const signature = await sign(sale);
  for (const other of [signature.slice(0, 130), `${signature}00`, '0x00', `0x${'00'.repeat(8192)}`]) {
    expect(await refusalOf(sale, { signature: other })).toBe(
      'The signature must have 65 bytes: those of smart wallets are not accepted here',
    );
  }
});

it('rejects another holder’s sale, whoever has signed', async () => {
  const sale = await draftSale(holder, sql);
  for (const account of [holder.account, stranger.account]) {
    const signature = await sign(sale, account);
    expect(await refusalOf(sale, { signature, caller: stranger })).toBe(
      'Sale belongs to another holder or digital key',
    );
  }
});

it('rejects the sale of another digital key of the same wallet, although its owner has signed', async () => {
  const sale = await draftSale(sibling, sql);
  const signature = await sign(sale);
  for (const caller of [holder, holder.signedIn]) {
    expect(await refusalOf(sale, { signature, caller })).toBe(
      'Sale belongs to another holder or digital key',
    );
  }
});

it('rejects a token id that is not the sale’s', async () => {
  const sale = await draftSale(holder, sql);
  const signature = await sign(sale);
  for (const tokenId of [sibling.tokenId, 0, Number.MAX_SAFE_INTEGER]) {
    expect(await refusalOf(sale, { signature, tokenId })).toBe('tokenId is not that of the sale');
  }
});

it.each(['SOLD', 'CANCELLED'])('rejects a sale that is %s', async (state) => {
  const sale = await listSale(holder, sql);
  const signature = await sign(sale);
  await sql('UPDATE nft_sales SET state = $2 WHERE id = $1', [sale.id, state]);
  expect(await refusalOf(sale, { signature })).toBe(`The sale is ${state}`);
});

it.each([
  ['draft', draftSale],
  ['listed sale', listSale],
])('rejects a %s whose time is over', async (_name, open) => {
  const sale = await open(holder, sql);
  await sql(`UPDATE nft_sales SET expires_at = now() - interval '1 millisecond' WHERE id = $1`, [sale.id]);
  const signature = await signOther(sale, withMessage({ expiry: String(Math.floor(Date.now() / 1000)) }));
  expect(await refusalOf(sale, { signature })).toBe('The sale has expired');
  expect(await refusalOf(sale, { signature: await sign(sale) })).toBe('The sale has expired');
});

it('says what is wrong first: whose it is, its token, its state, its time, the signature', async () => {
  const sale = await listSale(holder, sql);
  const signature = `0x${'00'.repeat(65)}`;
  await sql(`UPDATE nft_sales SET state = 'SOLD', expires_at = now() - interval '1 day' WHERE id = $1`, [
    sale.id,
  ]);
  const wrong = { signature, tokenId: 0 };
  expect(await refusalOf(sale, { ...wrong, caller: stranger })).toMatch(/^Sale belongs to another/);
  expect(await refusalOf(sale, wrong)).toBe('tokenId is not that of the sale');
  expect(await refusalOf(sale, { signature })).toBe('The sale is SOLD');
  await sql(`UPDATE nft_sales SET state = 'LISTED' WHERE id = $1`, [sale.id]);
  expect(await refusalOf(sale, { signature })).toBe('The sale has expired');
  await sql(`UPDATE nft_sales SET expires_at = now() + interval '1 day' WHERE id = $1`, [sale.id]);
  expect(await refusalOf(sale, { signature })).toBe(mismatch);
});

it('rejects an administrator, who has no digital key', async () => {
  const sale = await draftSale(holder, sql);
  expect(await refusalOf(sale, { signature: await sign(sale), caller: admin })).toBe(
    'This is for holders of a digital key: sign in as one',
  );
});

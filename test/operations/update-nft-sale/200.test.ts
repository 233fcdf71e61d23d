import type { NftSale } from '@keyfront/protocol';
import secp256k1 from 'secp256k1';
import { concatHex, hexToBytes, keccak256, pad, stringToBytes, toHex } from 'viem';
import { expect, it } from 'vitest';
import { draftSale, handIn, signTypedData, typedDataOf } from '../../support/nft-sales.ts';
import { dataOf, openStorefront, testMarketplace } from '../../support/storefront.ts';

const { holder, sql } = await openStorefront();

const send = (sale: NftSale, signature: string, caller: Pick<typeof holder, 'ask'> = holder) =>
  caller.ask('PATCH', `/marketplace/nfts/sale/${sale.id}`, { body: { tokenId: sale.tokenId, signature } });

const transactionsOf = (saleId: string) =>
  sql(
    `SELECT type, token_id, from_address, to_address, trim_scale(price)::text AS price, currency, origin, chain_id, tx_hash,
       log_index, block_number, occurred_at FROM transactions WHERE sale_id = $1 ORDER BY occurred_at, id`,
    [saleId],
  );
const signaturesOf = async (saleId: string) => {
  const [row] = await sql<{ listing: string | null; cancellation: string | null }>(
    `SELECT encode(listing_signature, 'hex') AS listing, encode(cancellation_signature, 'hex') AS cancellation
     FROM nft_sales WHERE id = $1`,
    [saleId],
  );
  return row;
};

/** A transaction that a signature made, and no chain has seen. */
const signed = (type: string, sale: NftSale, price: string | null) => ({
  type,
  token_id: String(sale.tokenId),
  from_address: holder.walletAddress,
  to_address: null,
  price,
  currency: price && 'ETH',
  origin: 'SIGNATURE',
  chain_id: null,
  tx_hash: null,
  log_index: null,
  block_number: null,
  occurred_at: expect.any(Date),
});

it('lists a draft, and then cancels it, each by its own signature', async () => {
  const draft = await draftSale(holder, sql, '0.25');
  const listing = await signTypedData(holder.account, typedDataOf(draft));
  const listed = dataOf<NftSale>(await send(draft, listing));
  const { types, ...typedData } = typedDataOf(draft);
  expect(listed).toEqual({
    ...draft,
    state: 'LISTED',
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    typedData: {
      ...typedData,
      types: { EIP712Domain: types.EIP712Domain, Cancellation: types.Listing },
      primaryType: 'Cancellation',
    },
  });
  expect(listed.updatedAt >= draft.updatedAt).toBe(true);
  expect(await transactionsOf(draft.id)).toEqual([signed('LIST', draft, '0.25')]);
  expect(await signaturesOf(draft.id)).toEqual({ listing: listing.slice(2), cancellation: null });

  const cancellation = await signTypedData(holder.account, typedDataOf(listed));
  const cancelled = dataOf<NftSale>(await send(listed, cancellation));
  expect(cancelled).toEqual({
    ...listed,
    state: 'CANCELLED',
    updatedAt: expect.stringMatching(/Z$/),
    typedData: null,
  });
  expect(await transactionsOf(draft.id)).toEqual([
    signed('LIST', draft, '0.25'),
    signed('LIST_CANCEL', draft, null),
  ]);
  expect(await signaturesOf(draft.id)).toEqual({
    listing: listing.slice(2),
    cancellation: cancellation.slice(2),
  });
  expect(dataOf(await holder.ask('GET', `/marketplace/nfts/sale/${draft.id}`))).toEqual(cancelled);
});

/** The hash of EIP-712 put together by hand, and signed by libsecp256k1. */
function signByHand(sale: NftSale, step: 'Listing' | 'Cancellation'): string {
  const hashText = (text: string) => keccak256(stringToBytes(text));
  const domain = keccak256(
    concatHex([
      hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
      hashText('Keyfront Marketplace'),
      hashText('2'),
      toHex(testMarketplace.chainId, { size: 32 }),
      pad(testMarketplace.contract),
    ]),
  );
  const message = keccak256(
    concatHex([
      hashText(
        `${step}(bytes16 saleId,address owner,uint256 tokenId,uint256 nonce,uint256 price,uint256 expiry)`,
      ),
      pad(`0x${sale.id.replaceAll('-', '')}`, { dir: 'right' }),
      pad(holder.account.address),
      toHex(sale.tokenId, { size: 32 }),
      toHex(0, { size: 32 }),
      toHex(1_500_000_000_000_000_000n, { size: 32 }),
      toHex(Date.parse(sale.expiresAt) / 1000, { size: 32 }),
    ]),
  );
  const hash = keccak256(concatHex(['0x1901', domain, message]));
  const { signature, recid } = secp256k1.ecdsaSign(hexToBytes(hash), hexToBytes(holder.privateKey));
  return `0x${Buffer.from(signature).toString('hex')}${(27 + recid).toString(16)}`;
}

it('takes a signature that was made without any library for typed data', async () => {
  const draft = await draftSale(holder, sql, '1.5');
  const listed = dataOf<NftSale>(await send(draft, signByHand(draft, 'Listing')));
  expect(listed.state).toBe('LISTED');
  expect(dataOf<NftSale>(await send(listed, signByHand(listed, 'Cancellation'))).state).toBe('CANCELLED');
});

it('takes the recovery bit in either form, and hexadecimal digits in either case', async () => {
  const draft = await draftSale(holder, sql);
  const listing = await signTypedData(holder.account, typedDataOf(draft));
  const bit = Number.parseInt(listing.slice(130), 16) - 27;
  const listed = dataOf<NftSale>(await send(draft, `${listing.slice(0, 130)}0${bit}`));
  expect(listed.state).toBe('LISTED');
  const cancellation = await signTypedData(holder.account, typedDataOf(listed));
  const cancelled = await send(listed, `0x${cancellation.slice(2).toUpperCase()}`);
  expect(dataOf<NftSale>(cancelled).state).toBe('CANCELLED');
});

it('takes it from any credential of the digital key', async () => {
  const draft = await draftSale(holder, sql);
  const listing = await signTypedData(holder.account, typedDataOf(draft));
  const listed = dataOf<NftSale>(await send(draft, listing));
  const cancellation = await signTypedData(holder.account, typedDataOf(listed));
  expect(dataOf<NftSale>(await send(listed, cancellation, holder.signedIn)).state).toBe('CANCELLED');
});

it('lists once and cancels once for concurrent requests', async () => {
  const draft = await draftSale(holder, sql);
  const listing = await signTypedData(holder.account, typedDataOf(draft));
  const listings = await Promise.all(Array.from({ length: 10 }, () => send(draft, listing)));
  const [listed, ...others] = listings.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  // The others find a sale that is listed, and theirs is no signature of its cancellation.
  for (const { status, envelope } of listings.filter((reply) => reply !== listed)) {
    expect([status, envelope.message]).toEqual([
      403,
      'The signature does not match the address of the message',
    ]);
  }
  if (!listed) throw new Error('None of them was listed');
  const sale = dataOf<NftSale>(listed);
  const cancellation = await signTypedData(holder.account, typedDataOf(sale));
  const cancellations = await Promise.all(Array.from({ length: 10 }, () => send(sale, cancellation)));
  expect(cancellations.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(403)]);
  for (const { envelope } of cancellations.filter(({ status }) => status === 403)) {
    expect(envelope.message).toBe('The sale is CANCELLED');
  }
  expect(await transactionsOf(draft.id)).toEqual([
    signed('LIST', draft, '1.5'),
    signed('LIST_CANCEL', draft, null),
  ]);
});

it('leaves a transaction as it is that the chain has told of first', async () => {
  const draft = await draftSale(holder, sql);
  await sql(
    `INSERT INTO transactions (type, token_id, from_address, price, currency, sale_id, origin, chain_id, tx_hash, log_index,
       block_number, occurred_at) VALUES ('LIST', $1, $2, 1.5, 'ETH', $3, 'CHAIN', 1, $4, 0, 7, now())`,
    [draft.tokenId, holder.walletAddress, draft.id, `0x${draft.id.replaceAll('-', '').repeat(2)}`],
  );
  const before = await transactionsOf(draft.id);
  expect(dataOf<NftSale>(await handIn(holder, draft)).state).toBe('LISTED');
  expect(await transactionsOf(draft.id)).toEqual(before);
});

it('binds a signature to the time that the sale ends', async () => {
  const draft = await draftSale(holder, sql);
  await sql(`UPDATE nft_sales SET expires_at = expires_at - interval '1 second' WHERE id = $1`, [draft.id]);
  const sale = dataOf<NftSale>(await holder.ask('GET', `/marketplace/nfts/sale/${draft.id}`));
  expect((await handIn(holder, draft)).status).toBe(403);
  expect(dataOf<NftSale>(await handIn(holder, sale)).state).toBe('LISTED');
});
